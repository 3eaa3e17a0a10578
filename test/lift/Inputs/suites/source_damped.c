#define N 120
void wave_pml(float u[3][N][N], const float c2[N][N], const float sx[N], const float sy[N],
              const float *w, int sxp, int syp, int nt) {
  for (int t = 1; t < nt; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        float lap = u[t % 3][i + 1][j] + u[t % 3][i - 1][j] + u[t % 3][i][j + 1] +
                    u[t % 3][i][j - 1] - 4.0f * u[t % 3][i][j];
        float damp = 1.0f - sx[i] - sy[j];
        u[(t + 1) % 3][i][j] =
            damp * (2.0f * u[t % 3][i][j] - damp * u[(t + 2) % 3][i][j] + c2[i][j] * lap);
      }
    u[(t + 1) % 3][sxp][syp] += w[t];
  }
}
