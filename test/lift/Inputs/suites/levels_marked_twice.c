#define SB_TYPE float
double kernel_stencil(SB_TYPE *A1, int compsize, int timestep, _Bool scop) {
  double start_time = 0, end_time = 0;
  int dimsize = compsize + 2;
  SB_TYPE(*A)[dimsize][dimsize] = (SB_TYPE(*)[dimsize][dimsize])A1;
  if (scop) {
    if (dimsize >= 3 && timestep >= 1) {
#pragma scop
      for (int t = 0; t < timestep; t++)
        for (int i = 1; i < dimsize - 1; i++)
          for (int j = 1; j < dimsize - 1; j++)
            A[(t + 1) % 2][i][j] = 5.1f * A[t % 2][i - 1][j] + 12.1f * A[t % 2][i][j - 1] +
                                   15.0f * A[t % 2][i][j] + 12.2f * A[t % 2][i][j + 1] +
                                   5.2f * A[t % 2][i + 1][j];
#pragma endscop
    }
  } else {
    for (int t = 0; t < timestep; t++)
#pragma omp parallel for
      for (int i = 1; i < dimsize - 1; i++)
        for (int j = 1; j < dimsize - 1; j++)
          A[(t + 1) % 2][i][j] = 5.1f * A[t % 2][i - 1][j] + 12.1f * A[t % 2][i][j - 1] +
                                 15.0f * A[t % 2][i][j] + 12.2f * A[t % 2][i][j + 1] +
                                 5.2f * A[t % 2][i + 1][j];
  }
  return end_time - start_time;
}
