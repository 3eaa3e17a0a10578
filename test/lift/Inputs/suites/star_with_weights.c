/* Parallel Research Kernels, star stencil with weights in an array */
#include <stdio.h>
#define RADIUS 2
#define DTYPE double
#define IN(i,j)       in[i+(j)*(n)]
#define OUT(i,j)      out[i+(j)*(n)]
#define WEIGHT(ii,jj) weight[ii+RADIUS][jj+RADIUS]
#define COEFX 1.0
#define COEFY 1.0
void star(int n, int iterations, DTYPE *restrict in, DTYPE *restrict out, DTYPE weight[2*RADIUS+1][2*RADIUS+1]) {
  for (int iter = 0; iter <= iterations; iter++) {
    for (int j = RADIUS; j < n-RADIUS; j++) {
      for (int i = RADIUS; i < n-RADIUS; i++) {
        for (int jj = -RADIUS; jj <= RADIUS; jj++) OUT(i,j) += WEIGHT(0,jj)*IN(i,j+jj);
        for (int ii = -RADIUS; ii < 0; ii++)       OUT(i,j) += WEIGHT(ii,0)*IN(i+ii,j);
        for (int ii = 1; ii <= RADIUS; ii++)       OUT(i,j) += WEIGHT(ii,0)*IN(i+ii,j);
      }
    }
    for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) IN(i,j) += 1.0;
  }
}
