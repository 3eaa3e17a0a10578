/* a number of the run chooses between formulas by `switch` */
#include <math.h>
enum kind { NONE, MINMOD, LEER = 3, HALF };

static double limited(enum kind kind, double r) {
  switch (kind) {
  case NONE:
    return 0;
  case MINMOD:
    return fmax(0, fmin(1, r));
  default:
    return 1;
  case LEER: {
    double a = fabs(r);
    return (r + a) / (1 + a);
  }
  }
}

// EQUAL
void transport(int n, double *restrict q, double *restrict next, double c, int kind) {
  for (int i = 2; i < n - 1; i++) {
    double r = (q[i] - q[i - 1]) / (q[i + 1] - q[i]);
    double s = (q[i - 1] - q[i - 2]) / (q[i] - q[i - 1]);
    next[i] = q[i] - c * (q[i] + limited(kind, r) * (q[i + 1] - q[i]) -
                          (q[i - 1] + limited(kind, s) * (q[i] - q[i - 1])));
  }
}

/* cases of positions, two of one kind, one that skips the rest, none for others */
// EQUAL
void wind(int n, double *restrict q, double *restrict next, int way) {
  for (int i = 1; i < n - 1; i++) {
    double slope = 0;
    switch (way) {
    case 0:
      slope = q[i + 1] - q[i];
      break;
    case 1:
    case -1: {
      slope = 0.5 * (q[i + 1] - q[i - 1]);
      break;
    }
    case 7:
      next[i] = q[i];
      continue;
    case 8:
      if (q[i] > 0)
        slope = q[i];
      else
        slope = 2 * q[i];
    }
    switch (i) {
    case 3:
      slope *= 2;
      break;
    default:
      break;
    }
    next[i] = q[i] - 0.1 * slope;
  }
}
