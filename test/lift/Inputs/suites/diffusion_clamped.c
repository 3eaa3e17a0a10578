#include <math.h>
/* srad v2-like, index arrays iN iS jW jE */
void srad(float *J, float *c, float *dN, float *dS, float *dW, float *dE, int rows, int cols,
          int niter, float lambda, float q0sqr) {
  for (int iter = 0; iter < niter; iter++) {
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < cols; j++) {
        int k = i * cols + j;
        float Jc = J[k];
        int iN = i == 0 ? 0 : i - 1;
        int iS = i == rows - 1 ? rows - 1 : i + 1;
        int jW = j == 0 ? 0 : j - 1;
        int jE = j == cols - 1 ? cols - 1 : j + 1;
        dN[k] = J[iN * cols + j] - Jc;
        dS[k] = J[iS * cols + j] - Jc;
        dW[k] = J[i * cols + jW] - Jc;
        dE[k] = J[i * cols + jE] - Jc;
        float G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (Jc * Jc);
        float L = (dN[k] + dS[k] + dW[k] + dE[k]) / Jc;
        float num = (0.5 * G2) - ((1.0 / 16.0) * (L * L));
        float den = 1 + (.25 * L);
        float qsqr = num / (den * den);
        den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
        c[k] = 1.0 / (1.0 + den);
        if (c[k] < 0) {
          c[k] = 0;
        } else if (c[k] > 1) {
          c[k] = 1;
        }
      }
    }
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < cols; j++) {
        int k = i * cols + j;
        int iS = i == rows - 1 ? rows - 1 : i + 1;
        int jE = j == cols - 1 ? cols - 1 : j + 1;
        float cN = c[k];
        float cS = c[iS * cols + j];
        float cW = c[k];
        float cE = c[i * cols + jE];
        float D = cN * dN[k] + cS * dS[k] + cW * dW[k] + cE * dE[k];
        J[k] = J[k] + 0.25 * lambda * D;
      }
    }
  }
}
