/* Numbers that say what a point is. */
#include <stdbool.h>

// EQUAL
void inside(const double *u, double *next, const unsigned char *fluid, int nx, int ny, double a) {
  for (int j = 1; j < ny - 1; j++)
    for (int i = 1; i < nx - 1; i++) {
      int c = j * nx + i;
      if (fluid[c])
        next[c] = u[c] + a * (u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] - 4 * u[c]);
      else
        next[c] = u[c];
    }
}

// EQUAL
void left_out(double u[40][30], double v[40][30], const bool solid[40][30]) {
  for (int i = 1; i < 39; i++)
    for (int j = 1; j < 29; j++) {
      if (solid[i][j])
        continue;
      v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    }
}

// EQUAL
void neighbours_counted(const double *p, double *q, const char *open, int nx, int ny) {
  for (int j = 1; j < ny - 1; j++)
    for (int i = 1; i < nx - 1; i++) {
      int c = j * nx + i, count = 0;
      double sum = 0;
      if (open[c - 1]) {
        sum += p[c - 1];
        count++;
      }
      if (open[c + 1]) {
        sum += p[c + 1];
        count++;
      }
      if (open[c - nx] && open[c + nx]) {
        sum += p[c - nx] + p[c + nx];
        count += 2;
      }
      q[c] = count > 0 ? sum / count : 0.0;
    }
}

/* EQUAL: Flags of two kinds, of which one counts as a weight. */
void weighted_by_flags(const float *u, float *v, const int *kind, int nx, int ny) {
  for (int j = 1; j < ny - 1; j++)
    for (int i = 1; i < nx - 1; i++) {
      int c = j * nx + i;
      v[c] = kind[c] == 1 ? (u[c - 1] + u[c + 1]) / 2 : u[c] * kind[c + nx];
    }
}
