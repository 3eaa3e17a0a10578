/* Which of two is meant is not clear, whatever a loop over time there is in one of them. */
void filled(int n, double *u) {
  for (int i = 0; i < n; i++)
    u[i] = 1;
}
void once(int n, const double *u, double *v) {
  for (int i = 1; i < n; i++)
    v[i] = u[i - 1];
}
void again(int n, int steps, double *u, double *v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i - 1] + u[i + 1];
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i];
  }
}
