#define MR(mt, n, r, c, d)                                                                         \
  mt->m[(n) * mt->mrows * mt->mcols * mt->mdeps + (r) * mt->mcols * mt->mdeps + (c) * mt->mdeps +  \
        (d)]
struct Mat {
  float *m;
  int mnums;
  int mrows;
  int mcols;
  int mdeps;
};
typedef struct Mat Matrix;
float omega = 0.8;
float jacobi(int nn, Matrix *a, Matrix *b, Matrix *c, Matrix *p, Matrix *bnd, Matrix *wrk1,
             Matrix *wrk2) {
  int i, j, k, n, imax, jmax, kmax;
  float gosa, s0, ss;
  imax = p->mrows - 1;
  jmax = p->mcols - 1;
  kmax = p->mdeps - 1;
  for (n = 0; n < nn; n++) {
    gosa = 0.0;
    for (i = 1; i < imax; i++)
      for (j = 1; j < jmax; j++)
        for (k = 1; k < kmax; k++) {
          s0 = MR(a, 0, i, j, k) * MR(p, 0, i + 1, j, k) +
               MR(a, 1, i, j, k) * MR(p, 0, i, j + 1, k) +
               MR(a, 2, i, j, k) * MR(p, 0, i, j, k + 1) +
               MR(b, 0, i, j, k) * (MR(p, 0, i + 1, j + 1, k) - MR(p, 0, i + 1, j - 1, k) -
                                    MR(p, 0, i - 1, j + 1, k) + MR(p, 0, i - 1, j - 1, k)) +
               MR(c, 0, i, j, k) * MR(p, 0, i - 1, j, k) +
               MR(c, 1, i, j, k) * MR(p, 0, i, j - 1, k) +
               MR(c, 2, i, j, k) * MR(p, 0, i, j, k - 1) + MR(wrk1, 0, i, j, k);
          ss = (s0 * MR(a, 3, i, j, k) - MR(p, 0, i, j, k)) * MR(bnd, 0, i, j, k);
          gosa += ss * ss;
          MR(wrk2, 0, i, j, k) = MR(p, 0, i, j, k) + omega * ss;
        }
    for (i = 1; i < imax; i++)
      for (j = 1; j < jmax; j++)
        for (k = 1; k < kmax; k++)
          MR(p, 0, i, j, k) = MR(wrk2, 0, i, j, k);
  }
  return gosa;
}
