#define NI 24
#define NJ 22
#define NK 26
typedef float DATA_TYPE;
void conv3D(DATA_TYPE *A, DATA_TYPE *B) {
  int i, j, k;
  DATA_TYPE c11, c12, c13, c21, c22, c23, c31, c32, c33;
  c11 = +2;
  c21 = +5;
  c31 = -8;
  c12 = -3;
  c22 = +6;
  c32 = -9;
  c13 = +4;
  c23 = +7;
  c33 = +10;
  for (j = 1; j < NJ - 1; ++j)
    for (i = 1; i < NI - 1; ++i)
      for (k = 1; k < NK - 1; ++k)
        B[i * (NK * NJ) + j * NK + k] = c11 * A[(i - 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                                        c13 * A[(i + 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                                        c21 * A[(i - 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                                        c23 * A[(i + 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                                        c31 * A[(i - 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                                        c33 * A[(i + 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                                        c12 * A[(i + 0) * (NK * NJ) + (j - 1) * NK + (k + 0)] +
                                        c22 * A[(i + 0) * (NK * NJ) + (j + 0) * NK + (k + 0)] +
                                        c32 * A[(i + 0) * (NK * NJ) + (j + 1) * NK + (k + 0)] +
                                        c11 * A[(i - 1) * (NK * NJ) + (j - 1) * NK + (k + 1)];
}
