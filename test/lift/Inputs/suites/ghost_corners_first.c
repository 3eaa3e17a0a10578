/* walls of a basin, each as long as the memory: the corners are set twice, and read by nobody */
struct basin {
  int nx, ny;
  double k, *h, *u, *v, *h_next, *u_next, *v_next;
};

static void walls(struct basin *b) {
  int nx = b->nx, ny = b->ny;
  for (int j = 0; j < ny; j++) {
    b->h[j * nx] = b->h[j * nx + 1];
    b->h[j * nx + nx - 1] = b->h[j * nx + nx - 2];
    b->u[j * nx] = -b->u[j * nx + 1];
    b->u[j * nx + nx - 1] = -b->u[j * nx + nx - 2];
  }
  for (int i = 0; i < nx; i++) {
    b->h[i] = b->h[nx + i];
    b->h[(ny - 1) * nx + i] = b->h[(ny - 2) * nx + i];
    b->v[i] = -b->v[nx + i];
    b->v[(ny - 1) * nx + i] = -b->v[(ny - 2) * nx + i];
  }
}

// EQUAL
void flow(struct basin *b, int steps) {
  for (int n = 0; n < steps; n++) {
    walls(b);
    for (int j = 1; j < b->ny - 1; j++)
      for (int i = 1; i < b->nx - 1; i++) {
        int c = j * b->nx + i, up = c - b->nx, down = c + b->nx;
        b->h_next[c] = 0.25 * (b->h[c - 1] + b->h[c + 1] + b->h[up] + b->h[down]) -
                       b->k * (b->u[c + 1] - b->u[c - 1] + b->v[down] - b->v[up]);
        b->u_next[c] = b->u[c] - b->k * (b->h[c + 1] - b->h[c - 1]);
        b->v_next[c] = b->v[c] - b->k * (b->h[down] - b->h[up]);
      }
    double *last = b->h;
    b->h = b->h_next;
    b->h_next = last;
    last = b->u;
    b->u = b->u_next;
    b->u_next = last;
    last = b->v;
    b->v = b->v_next;
    b->v_next = last;
  }
}
