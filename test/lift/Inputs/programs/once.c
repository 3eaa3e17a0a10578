/* One sweep, without a loop over time, over arrays of the program's own. */
#include <stdio.h>
#define N 24
int main(void) {
  float a[N][N], b[N][N];
  const float w = 0.25f;
  int i, j;
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      a[i][j] = (i ^ j) / 7.0f;
#pragma scop
  for (i = 1; i < N - 1; i++)
    for (j = 1; j < N - 1; j++)
      b[i][j] = w * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma endscop
  printf("%g\n", b[3][3]);
}
