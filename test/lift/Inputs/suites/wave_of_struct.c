// Waves with a closed edge, in one loop over all points; three arrays of a struct change places.
typedef struct {
  int nx, ny;
  double c, dt, dx;
  double *prev, *cur, *next;
} Wave;
void advance(Wave *w) {
  const int nx = w->nx, ny = w->ny;
  const double s = w->c * w->dt / w->dx, s2 = s * s;
  if (nx < 3 || ny < 3)
    return;
  for (int p = 0; p < nx * ny; ++p) {
    const int i = p % nx, j = p / nx;
    if (i == 0 || i == nx - 1 || j == 0 || j == ny - 1) {
      w->next[p] = 0;
      continue;
    }
    w->next[p] =
        2 * w->cur[p] - w->prev[p] +
        s2 * (w->cur[p - 1] + w->cur[p + 1] + w->cur[p - nx] + w->cur[p + nx] - 4 * w->cur[p]);
  }
  double *t = w->prev;
  w->prev = w->cur;
  w->cur = w->next;
  w->next = t;
}
