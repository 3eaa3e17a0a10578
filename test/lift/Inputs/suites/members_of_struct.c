#include <stdlib.h>
#include <string.h>
typedef struct {
  int nx, ny;
  double dx, dt, c;
  double *u, *u_prev, *u_next;
} sim_t;
#define IDX(s, i, j) ((i) * (s)->nx + (j))
void sim_step(sim_t *s) {
  const double k = s->c * s->c * s->dt * s->dt / (s->dx * s->dx);
  for (int i = 1; i < s->ny - 1; i++)
    for (int j = 1; j < s->nx - 1; j++)
      s->u_next[IDX(s, i, j)] =
          2 * s->u[IDX(s, i, j)] - s->u_prev[IDX(s, i, j)] +
          k * (s->u[IDX(s, i + 1, j)] + s->u[IDX(s, i - 1, j)] + s->u[IDX(s, i, j + 1)] +
               s->u[IDX(s, i, j - 1)] - 4 * s->u[IDX(s, i, j)]);
  double *tmp = s->u_prev;
  s->u_prev = s->u;
  s->u = s->u_next;
  s->u_next = tmp;
}
