/* Weights in tables of rows, as lists say them. */

/* EQUAL: all of them, by loops over the rows. */
void weights_in_rows(int n, int m, double a[n][m], double b[n][m]) {
  double w[3][3] = {{0.1, 0.2, 0.1}, {0.2, 0.3, 0.2}, {0.1, 0.2, 0.1}};
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      double sum = 0;
      for (int k = -1; k <= 1; k++)
        for (int l = -1; l <= 1; l++)
          sum += w[k + 1][l + 1] * a[i + k][j + l];
      b[i][j] = sum;
    }
}

static const float blur[3][3] = {{1, 2, 1}, {2, 4}, {1, 2, 1}};

/* EQUAL: a table of the file, whose last numbers are not said. */
void weights_of_file(int n, float a[n][n], float b[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      float sum = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          sum += blur[k][l] * a[i + k - 1][j + l - 1];
      b[i][j] = sum / 14;
    }
}

/* EQUAL: formulas, and numbers that are said out of their order. */
void weights_of_param(int n, double c, double a[n], double b[n]) {
  const double w[2][3] = {{c, 1 - 2 * c}, [1] = {[2] = 0.5}};
  for (int i = 1; i < n - 1; i++)
    b[i] = w[0][0] * a[i - 1] + w[0][1] * a[i] + w[1][2] * a[i + 1] + w[1][0];
}

/* EQUAL: a table of the point, written to. */
void table_of_point(int n, double c, double a[n], double b[n]) {
  for (int i = 1; i < n - 1; i++) {
    double w[2][2] = {{a[i], a[i - 1]}, {1}};
    w[1][1] = c * a[i + 1];
    for (int k = 0; k < 2; k++)
      for (int l = 0; l < 2; l++)
        w[k][l] *= 2;
    b[i] = w[0][0] + w[0][1] - w[1][0] * w[1][1];
  }
}

/* EQUAL: three axes, without braces inside. */
void weights_in_planes(int n, double a[n], double b[n]) {
  double w[2][2][2] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int i = 1; i < n - 1; i++)
    b[i] = w[1][0][1] * a[i - 1] + w[0][1][1] * a[i + 1];
}
