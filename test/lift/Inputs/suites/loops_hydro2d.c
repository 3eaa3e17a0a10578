/* Livermore 18: 2D explicit hydrodynamics fragment */
#define KN 40
#define JN 30
double za[KN][JN], zb[KN][JN], zm[KN][JN], zp[KN][JN], zq[KN][JN], zr[KN][JN], zu[KN][JN],
    zv[KN][JN], zz[KN][JN];
void kernel18(int loop, int kn, int jn) {
  double t = 0.0037, s = 0.0041;
  int l, j, k;
  for (l = 1; l <= loop; l++) {
    for (k = 1; k < KN - 1; k++) {
      for (j = 1; j < JN - 1; j++) {
        za[k][j] = (zp[k + 1][j - 1] + zq[k + 1][j - 1] - zp[k][j - 1] - zq[k][j - 1]) *
                   (zr[k][j] + zr[k][j - 1]) / (zm[k][j - 1] + zm[k + 1][j - 1]);
        zb[k][j] = (zp[k][j - 1] + zq[k][j - 1] - zp[k][j] - zq[k][j]) * (zr[k][j] + zr[k - 1][j]) /
                   (zm[k][j] + zm[k][j - 1]);
      }
    }
    for (k = 1; k < KN - 1; k++) {
      for (j = 1; j < JN - 1; j++) {
        zu[k][j] +=
            s * (za[k][j] * (zz[k][j] - zz[k][j + 1]) - za[k][j - 1] * (zz[k][j] - zz[k][j - 1]) -
                 zb[k][j] * (zz[k][j] - zz[k - 1][j]) + zb[k + 1][j] * (zz[k][j] - zz[k + 1][j]));
        zv[k][j] +=
            s * (za[k][j] * (zr[k][j] - zr[k][j + 1]) - za[k][j - 1] * (zr[k][j] - zr[k][j - 1]) -
                 zb[k][j] * (zr[k][j] - zr[k - 1][j]) + zb[k + 1][j] * (zr[k][j] - zr[k + 1][j]));
      }
    }
    for (k = 1; k < KN - 1; k++) {
      for (j = 1; j < JN - 1; j++) {
        zr[k][j] = zr[k][j] + t * zu[k][j];
        zz[k][j] = zz[k][j] + t * zv[k][j];
      }
    }
  }
}
