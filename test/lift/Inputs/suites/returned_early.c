/* Functions that return under conditions: a limiter of numbers, and one of positions. */
static double minmod(double a, double b) {
  if (a * b <= 0)
    return 0;
  if (a < 0) {
    const double larger = a > b ? a : b;
    return larger;
  } else
    return a < b ? a : b;
}
static int kept(int place, int least, int most) {
  if (place < least)
    return least;
  if (place > most)
    return most;
  return place;
}
void returned_early(int n, int steps, double c, double *u, double *next) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      const double back = u[i] - u[kept(i - 1, 0, n - 1)];
      const double ahead = u[kept(i + 1, 0, n - 1)] - u[i];
      next[i] = u[i] - c * minmod(back, ahead);
    }
    double *last = u;
    u = next;
    next = last;
  }
}
