void neumann(int nx, int ny, int steps, double c, double *u, double *v) {
  for (int t = 0; t < steps; t++) {
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        v[j * nx + i] =
            u[j * nx + i] + c * (u[j * nx + i - 1] + u[j * nx + i + 1] + u[(j - 1) * nx + i] +
                                 u[(j + 1) * nx + i] - 4 * u[j * nx + i]);
    for (int i = 0; i < nx; i++) {
      v[i] = v[nx + i];
      v[(ny - 1) * nx + i] = v[(ny - 2) * nx + i];
    }
    for (int j = 0; j < ny; j++) {
      v[j * nx] = v[j * nx + 1];
      v[j * nx + nx - 1] = v[j * nx + nx - 2];
    }
    double *s = u;
    u = v;
    v = s;
  }
}
