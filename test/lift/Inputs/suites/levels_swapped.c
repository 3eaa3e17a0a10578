double g[2][50][60];
void heat(int steps) {
  int cur = 0, nxt = 1;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < 49; i++)
      for (int j = 1; j < 59; j++)
        g[nxt][i][j] =
            0.25 * (g[cur][i - 1][j] + g[cur][i + 1][j] + g[cur][i][j - 1] + g[cur][i][j + 1]);
    int s = cur;
    cur = nxt;
    nxt = s;
  }
}
