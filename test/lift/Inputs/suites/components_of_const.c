#define NX 33
#define NY 41
void burgers(double u[2][NX][NY], double un[2][NX][NY], double dt, double nu) {
  for (int c = 0; c < 2; c++)
    for (int i = 1; i < NX - 1; i++)
      for (int j = 1; j < NY - 1; j++)
        un[c][i][j] = u[c][i][j] -
                      dt * (u[0][i][j] * (u[c][i][j] - u[c][i - 1][j]) +
                            u[1][i][j] * (u[c][i][j] - u[c][i][j - 1])) +
                      nu * (u[c][i + 1][j] + u[c][i - 1][j] + u[c][i][j + 1] + u[c][i][j - 1] -
                            4 * u[c][i][j]);
}
