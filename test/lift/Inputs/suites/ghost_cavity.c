/* reflecting cavity with three arrays, one of them with no layers */
#define MX 30
#define MY 20
void cavity(int steps, float p[MY + 2][MX + 2], float q[MY + 2][MX + 2], const float rhs[MY][MX],
            const float k[MY + 2][MX + 2]) {
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i <= MX; i++) {
      p[0][i] = p[2][i];
      p[MY + 1][i] = p[MY - 1][i];
    }
    for (int j = 1; j <= MY; j++) {
      p[j][0] = p[j][2];
      p[j][MX + 1] = 0.f;
    }
    for (int j = 1; j <= MY; j++)
      for (int i = 1; i <= MX; i++)
        q[j][i] = 0.25f * k[j][i] * (p[j - 1][i] + p[j + 1][i] + p[j][i - 1] + p[j][i + 1]) -
                  rhs[j - 1][i - 1];
    for (int j = 1; j <= MY; j++)
      for (int i = 1; i <= MX; i++)
        p[j][i] = q[j][i];
  }
}
