/* A ball, of the cube around it: what is outside is skipped in turns that are known. */
enum { N = 20 };
static float g[N][N][N], h[N][N][N];
void ball_skipped(void) {
  for (unsigned k = 2; k < N - 2; ++k)
    for (unsigned j = 2; j < N - 2; ++j)
      for (unsigned i = 2; i < N - 2; ++i) {
        float acc = 0.0f;
        for (int dk = -2; dk <= 2; ++dk)
          for (int dj = -2; dj <= 2; ++dj)
            for (int di = -2; di <= 2; ++di) {
              if (dk * dk + dj * dj + di * di > 4)
                continue;
              acc += g[k + dk][j + dj][i + di];
            }
        h[k][j][i] = acc / 33.0f;
      }
}
