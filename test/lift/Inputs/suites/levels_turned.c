double g[2][50][60];
void heat(int steps) {
  int old = 0;
  for (int t = 0; t < steps; t++, old = 1 - old) {
    int new = 1 - old;
    for (int i = 1; i < 49; i++)
      for (int j = 1; j < 59; j++)
        g[new][i][j] =
            0.25 * (g[old][i - 1][j] + g[old][i + 1][j] + g[old][i][j - 1] + g[old][i][j + 1]);
  }
}
