#include <stdio.h>
void range(int n, const float *restrict u, float *restrict v, float *most, double *least);
int main(void) {
  float u[40], v[40] = {0}, most;
  double least;
  for (int i = 0; i < 40; i++)
    u[i] = (i * 7 % 11 - 5) * 0.3f;
  range(40, u, v, &most, &least);
  printf("most %a, least %a, a value %a\n", most, least, v[7]);
  return 0;
}
