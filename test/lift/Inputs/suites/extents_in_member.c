/* A structure of arrays, with its extents in an array that is a member. */
typedef struct {
  float *x, *y;
  int n[2];
} pairs;
void extents_in_member(const pairs *in, pairs *out, float h) {
  const int nx = in->n[0], ny = in->n[1];
  for (int j = 1; j < ny - 1; j++)
    for (int i = 1; i < nx - 1; i++) {
      const int c = j * nx + i;
      out->x[c] = (in->y[c + nx] - in->y[c - nx]) / (2 * h);
      out->y[c] = (in->x[c + 1] - in->x[c - 1]) / (2 * h);
    }
}
