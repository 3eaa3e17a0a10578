/* Calls the function again and again, looks at its arrays and writes to them. */
#include <stdio.h>
#include <stdlib.h>
void heat_swap(int nz, int ny, int nx, int steps, double *u, double *unew, double alpha,
               double beta);
#ifdef KEPT
void heat_swap_fetch(void);
void heat_swap_forget(void);
#else
static void heat_swap_fetch(void) {}
static void heat_swap_forget(void) {}
#endif
static void print(const char *when, const double *u, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += u[i] * (i % 7);
  printf("%s %a\n", when, sum);
}
int main(void) {
  const int nz = 5, ny = 7, nx = 9, count = nz * ny * nx;
  double *u = malloc(count * sizeof *u), *v = malloc(count * sizeof *v);
  for (int i = 0; i < count; i++)
    u[i] = v[i] = 0.1 * (i * 13 % 17);
  heat_swap(nz, ny, nx, 4, u, v, 0.4, 0.1);
  heat_swap(nz, ny, nx, 2, u, v, 0.4, 0.1);
  heat_swap_fetch();
  print("even", u, count);
  heat_swap(nz, ny, nx, 3, u, v, 0.4, 0.1); /* the newest level is in v */
  heat_swap(nz, ny, nx, 1, v, u, 0.4, 0.1); /* and in u again */
  heat_swap_fetch();
  print("odd", u, count);
  for (int i = 0; i < count; i++)
    u[i] = v[i] = u[i] + 1;
  heat_swap_forget();
  heat_swap(nz, ny, nx, 2, u, v, 0.4, 0.1);
  heat_swap_fetch();
  print("written", u, count);
  u[nx * ny + nx + 1] = 1000; /* and not told */
  heat_swap(nz, ny, nx, 2, u, v, 0.4, 0.1);
#ifdef TELLS
  heat_swap_fetch();
  print("unseen", u, count);
#endif
  heat_swap_forget();
  free(u);
  free(v);
  return 0;
}
