/* A chessboard whose other squares are skipped */

// EQUAL
void skipped(int n, int sweeps, double u[n][n], double f[n][n], double w) {
  for (int s = 0; s < sweeps; s++)
    for (int colour = 0; colour < 2; colour++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
          if ((i + j) % 2 != colour)
            continue;
          double around = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
          u[i][j] = (1 - w) * u[i][j] + 0.25 * w * (around - f[i][j]);
        }
}

/* one colour, which the caller names */
// EQUAL
void skipped_alone(int n, double u[n][n], int colour) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      if ((i + j + colour) & 1)
        continue;
      u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    }
}
