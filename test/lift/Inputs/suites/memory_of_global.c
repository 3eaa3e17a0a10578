/* a global that the function takes memory for */
#include <stdlib.h>
double *work;
void twice(int n, double *u) {
  work = malloc(n * sizeof *work);
  for (int i = 1; i < n - 1; i++)
    work[i] = u[i - 1] + u[i + 1];
  for (int i = 1; i < n - 1; i++)
    u[i] = work[i];
}
