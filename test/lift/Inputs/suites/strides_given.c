/* Rows and planes whose distances are numbers of their own */
typedef struct {
  int halo, size[3], stride[3];
} layout;

/* a plane is so many rows, with points around those that are made */
// EQUAL
void of_params(const double *restrict u, double *restrict v, int dim, int ghosts, int row,
               int plane, double c) {
  const double *from = u + ghosts * (1 + row + plane);
  double *to = v + ghosts * (1 + row + plane);
  for (int k = 0; k < dim; k++)
    for (int j = 0; j < dim; j++)
      for (int i = 0; i < dim; i++) {
        const int place = i + j * row + k * plane;
        to[place] = from[place] + c * (from[place + 1] - from[place - row] + from[place + plane]);
      }
}

static int place_of(const layout *all, int i, int j, int k) {
  int halo = all->halo;
  return all->stride[0] * (halo + i - 1) + all->stride[1] * (halo + j - 1) +
         all->stride[2] * (halo + k - 1);
}
/* the last of them is 1 */
// EQUAL
void of_struct(const layout *all, const double *u, double *v) {
  for (int i = 1; i <= all->size[0]; i++)
    for (int j = 1; j <= all->size[1]; j++)
      for (int k = 1; k <= all->size[2]; k++) {
        int place = place_of(all, i, j, k);
        v[place] = u[place + all->stride[0]] + u[place - all->stride[1]] + u[place + 1];
      }
}

/* one row distance, and points around */
// EQUAL
void around(int n, int m, int halo, int row, const float *restrict u, float *restrict v) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      v[(i + halo) * row + j + halo] =
          u[(i + halo - 1) * row + j + halo] + u[(i + halo) * row + j + halo + 1];
}
