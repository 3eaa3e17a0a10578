/* Arrays with rows that are handed over as flat ones */
#define ROWS 14
#define COLUMNS 18

static void smooth(int rows, int columns, const float *from, float *to) {
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < columns - 1; j++)
      *(to + i * columns + j) = *(from + (i - 1) * columns + j) + *(from + i * columns + j + 1) -
                                from[(i + 1) * columns + j - 1];
}
// EQUAL
void levels(int steps, float u[2][ROWS][COLUMNS]) {
  int now = 0;
  for (int t = 1; t <= steps; t++) {
    smooth(ROWS, COLUMNS, &u[now][0][0], &u[1 - now][0][0]);
    now = 1 - now;
  }
}
// EQUAL
void decayed(int steps, float u[2][ROWS][COLUMNS]) {
  int now = 0;
  for (int t = 1; t <= steps; t++) {
    smooth(ROWS, COLUMNS, u[now][0], u[1 - now][0]);
    now = 1 - now;
  }
}

static void planes(int n, int m, int l, const float *from, float *to) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m - 1; j++)
      for (int k = 1; k < l; k++)
        to[(i * m + j) * l + k] =
            from[((i - 1) * m + j) * l + k] + from[(i * m + j + 1) * l + k - 1];
}
// EQUAL
void of_params(int n, int m, int l, float u[n][m][l], float v[n][m][l]) {
  planes(n, m, l, &u[0][0][0], &v[0][0][0]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        u[i][j][k] = 0.5f * v[i][j][k];
}
