/* Files that are written after the steps, and every now and then between them. */
#include <stdio.h>
#include <stdlib.h>
static void save(const char *name, const double *u, int n) {
  FILE *out = fopen(name, "w");
  double most = 0;
  unsigned char *row = malloc(n);
  for (int i = 0; i < n; i++) {
    double here = u[i];
    if (here > most)
      most = here;
    row[i] = here > 1 ? 1 : 0;
  }
  fprintf(out, "%g\n", most);
  fwrite(row, 1, n, out);
  free(row);
  fclose(out);
}
// EQUAL
void stretched(double *u, double *v, int n, int steps) {
  char name[64];
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i - 1] + u[i + 1];
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i];
    if (t % 10 == 0) {
      sprintf(name, "/dev/null%.*s", 0 * t, "x");
      FILE *out = fopen(name, "w");
      if (!out)
        return;
      for (int i = 0; i < n; i++)
        fprintf(out, "%g\n", u[i]);
      fclose(out);
    }
  }
  save("/dev/null", u, n);
}
