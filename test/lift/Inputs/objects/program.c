#include <math.h>
#include <stdio.h>
#define NX 100
#define NY 80
#define STEPS 500
static double T_old[NX][NY], T_new[NX][NY];
int main(void) {
  const double alpha = 0.01, dt = 0.1, dx = 0.1;
  for (int i = 0; i < NX; i++)
    for (int j = 0; j < NY; j++)
      T_old[i][j] = exp(-((i - 50) * (i - 50) + (j - 40) * (j - 40)) / 100.0);
  for (int n = 0; n < STEPS; n++) {
    for (int i = 1; i < NX - 1; i++)
      for (int j = 1; j < NY - 1; j++)
        T_new[i][j] = T_old[i][j] + alpha * dt / (dx * dx) *
                                        (T_old[i + 1][j] + T_old[i - 1][j] + T_old[i][j + 1] +
                                         T_old[i][j - 1] - 4.0 * T_old[i][j]);
    for (int i = 1; i < NX - 1; i++)
      for (int j = 1; j < NY - 1; j++)
        T_old[i][j] = T_new[i][j];
    if (n % 100 == 0)
      printf("step %d T=%f\n", n, T_old[50][40]);
  }
  return 0;
}
