/* A region that needs a sum over points, which is given to it, and arrays of neighbours that are
   filled before it. */
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *u = malloc(n * sizeof(float)), sum;
  int *left;
  left = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    left[i] = i - 1;
  left[0] = 0;
  float *v = malloc(n * sizeof(float));
  for (int t = 0; t < 10; t++) {
    sum = 0;
    for (int i = 0; i < n; i++)
      sum += u[i];
#pragma scop
    for (int i = 0; i < n; i++)
      v[i] = (u[left[i]] + u[i]) / sum;
    for (int i = 0; i < n; i++)
      u[i] = v[i];
#pragma endscop
  }
}
