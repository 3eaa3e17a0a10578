#include <math.h>
void kernel_gradient(float *A1, int compsize, int timestep) {
  int dimsize = compsize + 2;
  float(*A)[dimsize][dimsize] = (float(*)[dimsize][dimsize])A1;
#pragma scop
  for (int t = 0; t < timestep; t++)
    for (int i = 1; i < dimsize - 1; i++)
      for (int j = 1; j < dimsize - 1; j++)
        A[(t + 1) % 2][i][j] =
            A[t % 2][i][j] + 1.0f / sqrtf(0.0001f +
                                          (A[t % 2][i][j] - A[t % 2][i - 1][j]) *
                                              (A[t % 2][i][j] - A[t % 2][i - 1][j]) +
                                          (A[t % 2][i][j] - A[t % 2][i][j + 1]) *
                                              (A[t % 2][i][j] - A[t % 2][i][j + 1]));
#pragma endscop
}
