#define MIMAX 33
#define MJMAX 33
#define MKMAX 65
static float p[MIMAX][MJMAX][MKMAX];
static float a[4][MIMAX][MJMAX][MKMAX], b[3][MIMAX][MJMAX][MKMAX], c[3][MIMAX][MJMAX][MKMAX];
static float bnd[MIMAX][MJMAX][MKMAX];
static float wrk1[MIMAX][MJMAX][MKMAX], wrk2[MIMAX][MJMAX][MKMAX];
static int imax, jmax, kmax;
static float omega;
float jacobi(int nn) {
  int i, j, k, n;
  float gosa, s0, ss;
  for (n = 0; n < nn; ++n) {
    gosa = 0.0;
    for (i = 1; i < MIMAX - 1; i++)
      for (j = 1; j < MJMAX - 1; j++)
        for (k = 1; k < MKMAX - 1; k++) {
          s0 = a[0][i][j][k] * p[i + 1][j][k] + a[1][i][j][k] * p[i][j + 1][k] +
               a[2][i][j][k] * p[i][j][k + 1] +
               b[0][i][j][k] * (p[i + 1][j + 1][k] - p[i + 1][j - 1][k] - p[i - 1][j + 1][k] +
                                p[i - 1][j - 1][k]) +
               c[0][i][j][k] * p[i - 1][j][k] + c[1][i][j][k] * p[i][j - 1][k] +
               c[2][i][j][k] * p[i][j][k - 1] + wrk1[i][j][k];
          ss = (s0 * a[3][i][j][k] - p[i][j][k]) * bnd[i][j][k];
          gosa += ss * ss;
          wrk2[i][j][k] = p[i][j][k] + omega * ss;
        }
    for (i = 1; i < MIMAX - 1; ++i)
      for (j = 1; j < MJMAX - 1; ++j)
        for (k = 1; k < MKMAX - 1; ++k)
          p[i][j][k] = wrk2[i][j][k];
  }
  return gosa;
}
