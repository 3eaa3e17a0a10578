/* The other level is never read: nothing says how long its rows are. */
void edges_alone(int nx, int ny, int steps, double *u, double *v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < nx; i++) {
      v[i] = v[nx + i];
      v[(ny - 1) * nx + i] = v[(ny - 2) * nx + i];
    }
    for (int j = 0; j < ny; j++)
      v[j * nx] = v[j * nx + 1];
    double *s = u;
    u = v;
    v = s;
  }
}
