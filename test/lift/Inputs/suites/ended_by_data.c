/* Loops over time that the data ends: for a check they make so many turns */
#include <math.h>
#include <stdio.h>
#include <string.h>

/* by the test */
// EQUAL
void tested(int n, int m, double a[n][m], double b[n][m], double tol) {
  double diff = 2 * tol;
  while (diff > tol) {
    diff = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        diff = fmax(diff, fabs(b[i][j] - a[i][j]));
        a[i][j] = b[i][j];
      }
  }
}

/* by a part of it */
// EQUAL
void counted(int n, double *a, double *b, double tol, int most) {
  double error = tol + 1;
  int turns = 0;
  while (error > tol && turns < most) {
    error = 0;
    for (int i = 1; i < n - 1; i++) {
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
      error += (b[i] - a[i]) * (b[i] - a[i]);
    }
    memcpy(a, b, n * sizeof(double));
    error = sqrt(error);
    turns++;
  }
}

/* from inside, by a number of turns, too */
// EQUAL
double left(int n, double *a, double *b, double tol) {
  double change;
  int turns = 0;
  do {
    change = 0;
    for (int i = 1; i < n - 1; i++) {
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
      change += (b[i] - a[i]) * (b[i] - a[i]);
    }
    memcpy(a, b, n * sizeof(double));
    change = sqrt(change / n);
    if (change > 1e10) {
      printf("it grows\n");
      break;
    }
    if (++turns > 10000)
      break;
  } while (change > tol);
  return change;
}

/* by a time that has passed */
// EQUAL
void passed(int n, float *a, float *b, float end, float dt) {
  for (float t = 0; t < end; t += dt) {
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i] + dt * (a[i - 1] - 2 * a[i] + a[i + 1]);
    float *last = a;
    a = b;
    b = last;
  }
}
