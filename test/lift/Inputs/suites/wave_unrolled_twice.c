/* miniapp: iso3dfd-like */
#include <string.h>
#define HALF_LENGTH 4
void acoustic_it(float *next, float *now, float *speed, float *coeff, const int n1, const int n2,
                 const int n3) {
  int dimn1n2 = n1 * n2;
  for (int iz = HALF_LENGTH; iz < n3 - HALF_LENGTH; iz++) {
    for (int iy = HALF_LENGTH; iy < n2 - HALF_LENGTH; iy++) {
      for (int ix = HALF_LENGTH; ix < n1 - HALF_LENGTH; ix++) {
        int offset = iz * dimn1n2 + iy * n1 + ix;
        float value = 0.0;
        value += now[offset] * coeff[0];
        for (int ir = 1; ir <= HALF_LENGTH; ir++) {
          value += coeff[ir] * (now[offset + ir] + now[offset - ir]);
          value += coeff[ir] * (now[offset + ir * n1] + now[offset - ir * n1]);
          value += coeff[ir] * (now[offset + ir * dimn1n2] + now[offset - ir * dimn1n2]);
        }
        next[offset] = 2.0f * now[offset] - next[offset] + value * speed[offset];
      }
    }
  }
}
void acoustic(float *next, float *now, float *speed, float *coeff, const int n1, const int n2,
              const int n3, const int nreps) {
  for (int it = 0; it < nreps; it += 2) {
    acoustic_it(next, now, speed, coeff, n1, n2, n3);
    acoustic_it(now, next, speed, coeff, n1, n2, n3);
  }
}
