/* Additions that the language has a word for, and some that only look like it. */
void box(int n, const float a[n][n], float b[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      float sum = 0;
      for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
          sum += a[i + y][j + x];
      b[i][j] = sum / 9;
    }
}

void columns(int n, const double a[n][n], double b[n][n], double w) {
  for (int i = 2; i < n - 2; i++)
    for (int j = 1; j < n - 1; j++) {
      double sum = 0;
      for (int x = -1; x <= 1; x++)
        for (int y = -2; y <= 1; y++)
          sum += w * a[i + y][j + x];
      b[i][j] = sum + 0.5 * a[i][j];
    }
}

// The last but one and the last term have changed places.
void shuffled(int n, const double a[n][n], double b[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] +
                a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j + 1] + a[i + 1][j];
}

// One of nine weighs more.
void weighted(int n, const double a[n][n], double b[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + 2 * a[i][j] +
                a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1];
}

void fourth(int n, const double a[n][n], double b[n][n]) {
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      b[i][j] = a[i][j] + 0.1 * (-5.0 * a[i][j] + 4.0 / 3.0 * (a[i][j - 1] + a[i][j + 1]) +
                                 -1.0 / 12.0 * (a[i][j - 2] + a[i][j + 2]) +
                                 4.0 / 3.0 * (a[i - 1][j] + a[i + 1][j]) +
                                 -1.0 / 12.0 * (a[i - 2][j] + a[i + 2][j]));
}

// The slow axis comes first.
void turned(int n, const double a[n][n], double b[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = -4 * a[i][j] + (a[i - 1][j] + a[i + 1][j]) + (a[i][j - 1] + a[i][j + 1]);
}
