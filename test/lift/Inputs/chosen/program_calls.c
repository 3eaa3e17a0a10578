/* `main` calls one function again and again: that is what is meant, not what starts or sums up. */
#include <stdio.h>
#include <stdlib.h>
static double a[40][50], b[40][50];
void start(void) {
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 50; j++)
      a[i][j] = b[i][j] = i * j % 7;
}
void advance(double r) {
  for (int i = 1; i < 39; i++)
    for (int j = 1; j < 49; j++)
      b[i][j] = a[i][j] + r * (a[i - 1][j] + a[i + 1][j] - 2 * a[i][j]);
  for (int i = 1; i < 39; i++)
    for (int j = 1; j < 49; j++)
      a[i][j] = b[i][j];
}
double mean(void) {
  double sum = 0;
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 50; j++)
      sum += a[i][j];
  return sum / 2000;
}
int main(void) {
  start();
  for (int t = 0; t < 100; t++)
    advance(0.1);
  printf("%g\n", mean());
}
