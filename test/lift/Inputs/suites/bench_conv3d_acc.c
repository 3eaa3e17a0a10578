/* PolyBench/ACC 3DCONV */
#define NI 40
#define NJ 41
#define NK 42
typedef double DATA_TYPE;
void conv3D(int ni, int nj, int nk, DATA_TYPE A[NI][NJ][NK], DATA_TYPE B[NI][NJ][NK]) {
  int i, j, k;
  #pragma scop
  #pragma acc parallel
  {
    #pragma acc loop
    for (i = 1; i < NI - 1; ++i)
      for (j = 1; j < NJ - 1; ++j)
        for (k = 1; k < NK - 1; ++k)
          B[i][j][k] = 2 * A[i-1][j-1][k-1] + 4 * A[i+1][j-1][k-1]
             + 5 * A[i-1][j-1][k-1] + 7 * A[i+1][j-1][k-1] - 8 * A[i-1][j-1][k-1] + 10 * A[i+1][j-1][k-1]
             - 3 * A[i][j-1][k] + 6 * A[i][j][k] - 9 * A[i][j+1][k]
             + 2 * A[i-1][j-1][k+1] + 4 * A[i+1][j-1][k+1];
  }
  #pragma endscop
}
