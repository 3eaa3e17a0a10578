/* A program whose loop over time the data ends. */
#include <math.h>
#include <stdio.h>
#define N 30
#define M 24
double now[N][M], next[N][M];
int main() {
  const int most = 1000;
  double tol = 1e-6, error = 1;
  int turn = 0;
  for (int i = 0; i < N; i++)
    now[i][0] = next[i][0] = 1;
  while (error > tol && turn < most) {
    error = 0;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < M - 1; j++) {
        next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
        error = fmax(error, fabs(next[i][j] - now[i][j]));
      }
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < M - 1; j++)
        now[i][j] = next[i][j];
    if (turn % 100 == 0)
      printf("%d %g\n", turn, error);
    turn++;
  }
  return 0;
}
