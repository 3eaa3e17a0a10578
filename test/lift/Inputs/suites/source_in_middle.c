#define NX 64
#define NY 72
void quake(int nt, double p[2][NX][NY], const double v[NX][NY], double dt) {
  for (int t = 0; t < nt; t++) {
    for (int i = 2; i < NX - 2; i++)
      for (int j = 2; j < NY - 2; j++)
        p[(t + 1) % 2][i][j] = 2 * p[t % 2][i][j] - p[(t + 1) % 2][i][j] +
                               v[i][j] * dt * dt *
                                   (-5.0 * p[t % 2][i][j] +
                                    4.0 / 3.0 *
                                        (p[t % 2][i - 1][j] + p[t % 2][i + 1][j] +
                                         p[t % 2][i][j - 1] + p[t % 2][i][j + 1]) -
                                    1.0 / 12.0 *
                                        (p[t % 2][i - 2][j] + p[t % 2][i + 2][j] +
                                         p[t % 2][i][j - 2] + p[t % 2][i][j + 2]));
    p[(t + 1) % 2][NX / 2][NY / 2] += dt * dt;
  }
}
