/* upwind fluxes handed to the right */
void advect(int n, int m, const double *u, double *v, double c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int right = (j + 1) % m;
      v[i * m + right] = u[i * m + right] - c * (u[i * m + right] - u[i * m + j]);
    }
}
