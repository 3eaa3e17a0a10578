float a[4][MIMAX][MJMAX][MKMAX];
float b[3][MIMAX][MJMAX][MKMAX];
float c[3][MIMAX][MJMAX][MKMAX];
float p[MIMAX][MJMAX][MKMAX];
float wrk1[MIMAX][MJMAX][MKMAX];
float wrk2[MIMAX][MJMAX][MKMAX];
float bnd[MIMAX][MJMAX][MKMAX];
float s0, ss, omega;

for (int i = 1; i < MIMAX - 1; ++i)
  for (int j = 1; j < MJMAX - 1; ++j)
    for (int k = 1; k < MKMAX - 1; ++k) {
      s0 = a[0][i][j][k] * p[i + 1][j][k] + a[1][i][j][k] * p[i][j + 1][k] +
           a[2][i][j][k] * p[i][j][k + 1] +
           b[0][i][j][k] *
               (p[i + 1][j + 1][k] - p[i + 1][j - 1][k] - p[i - 1][j + 1][k] + p[i - 1][j - 1][k]) +
           b[1][i][j][k] *
               (p[i][j + 1][k + 1] - p[i][j - 1][k + 1] - p[i][j + 1][k - 1] + p[i][j - 1][k - 1]) +
           b[2][i][j][k] *
               (p[i + 1][j][k + 1] - p[i - 1][j][k + 1] - p[i + 1][j][k - 1] + p[i - 1][j][k - 1]) +
           c[0][i][j][k] * p[i - 1][j][k] + c[1][i][j][k] * p[i][j - 1][k] +
           c[2][i][j][k] * p[i][j][k - 1] + wrk1[i][j][k];
      ss = (s0 * a[3][i][j][k] - p[i][j][k]) * bnd[i][j][k];
      wrk2[i][j][k] = p[i][j][k] + omega * ss;
    }
