#define HALF 4
void iso3dfd(float *next, float *prev, float *vel, float *coeff, int n1, int n2, int n3, int nt) {
  int dimn1n2 = n1 * n2;
  for (int it = 0; it < nt; it++) {
    for (int bz = HALF; bz < n3 - HALF; bz++)
      for (int by = HALF; by < n2 - HALF; by++)
        for (int bx = HALF; bx < n1 - HALF; bx++) {
          int offset = bz * dimn1n2 + by * n1 + bx;
          float value = 0.0f;
          value += prev[offset] * coeff[0];
#pragma unroll
          for (int ir = 1; ir <= HALF; ir++) {
            value += coeff[ir] * (prev[offset + ir] + prev[offset - ir]);
            value += coeff[ir] * (prev[offset + ir * n1] + prev[offset - ir * n1]);
            value += coeff[ir] * (prev[offset + ir * dimn1n2] + prev[offset - ir * dimn1n2]);
          }
          next[offset] = 2.0f * prev[offset] - next[offset] + value * vel[offset];
        }
    float *tmp = next;
    next = prev;
    prev = tmp;
  }
}
