#define NX 40
#define NY 36
void advect(int steps, double c, double u[NX + 2][NY + 2], double v[NX + 2][NY + 2]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= NX; i++) {
      u[i][0] = u[i][NY];
      u[i][NY + 1] = u[i][1];
    }
    for (int j = 1; j <= NY; j++) {
      u[0][j] = u[NX][j];
      u[NX + 1][j] = u[1][j];
    }
    for (int i = 1; i <= NX; i++)
      for (int j = 1; j <= NY; j++)
        v[i][j] = u[i][j] - c * (u[i][j] - u[i - 1][j]) - c * (u[i][j] - u[i][j - 1]);
    for (int i = 1; i <= NX; i++)
      for (int j = 1; j <= NY; j++)
        u[i][j] = v[i][j];
  }
}
