/* A marked region inside of a branch, with timing around it. */
double now(void);
#define RADIUS 1
double run_plate(float *memory, int inner, int steps, _Bool marked) {
  double start = now();
  int size = inner + 2 * RADIUS;
  float(*A)[size][size] = (float(*)[size][size])memory;
  if (marked) {
#pragma scop
    for (int t = 0; t < steps; t++)
      for (int i = RADIUS; i < size - RADIUS; i++)
        for (int j = RADIUS; j < size - RADIUS; j++)
          A[(t + 1) % 2][i][j] =
              (5.1f * A[t % 2][i - 1][j] + 12.1f * A[t % 2][i][j - 1] + 15.0f * A[t % 2][i][j] +
               12.2f * A[t % 2][i][j + 1] + 5.2f * A[t % 2][i + 1][j]) / 118;
#pragma endscop
  } else {
    for (int t = 0; t < steps; t++)
      ;
  }
  return now() - start;
}
