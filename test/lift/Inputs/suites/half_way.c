void pulse(int n, double *u, double *v, double dx) {
  for (int i = 1; i < n - 1; i++) {
    double x = (i - n / 2) * dx;
    v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * x;
  }
  for (int i = n / 4; i < n / 2; i++)
    v[i] = 1.0;
}
