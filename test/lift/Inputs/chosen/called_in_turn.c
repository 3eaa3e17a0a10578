/* A function that calls all that compute. */
static void fluxes(int n, const double *u, double *f) {
  for (int i = 1; i < n; i++)
    f[i] = u[i] - u[i - 1];
}
static void added(int n, double *u, const double *f, double r) {
  for (int i = 1; i < n - 1; i++)
    u[i] += r * (f[i + 1] - f[i]);
}
void advance(int n, double *u, double *f, double r) {
  fluxes(n, u, f);
  added(n, u, f, r);
}
