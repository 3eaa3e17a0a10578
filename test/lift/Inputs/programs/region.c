/* A marked region of `main`, with time levels in one array and numbers that are set before it. */
#include <stdio.h>
#include <stdlib.h>
#define N 31
#define T 7
double A[2][N][N + 4];
int main(void) {
  int t, i, j;
  const int base = 1024;
  double w;
  srand(42);
  for (i = 0; i < N; i++)
    for (j = 0; j < N + 4; j++)
      A[0][i][j] = 1.0 * (rand() % base);
  w = 1.0 / 8;
#pragma scop
  for (t = 0; t < T; t++)
    for (i = 1; i < N - 1; i++)
      for (j = 1; j < N + 3; j++)
        A[(t + 1) % 2][i][j] =
            w * (A[t % 2][i + 1][j] - 2.0 * A[t % 2][i][j] + A[t % 2][i - 1][j]) +
            0.2 * (A[t % 2][i][j + 1] + A[t % 2][i][j - 1]);
#pragma endscop
  printf("%g\n", A[T % 2][3][3]);
  return 0;
}
