struct settings {
  double width, step;
};
void by_value(int n, const double *u, double *out, struct settings p) {
  for (int i = 1; i < n - 1; i++)
    out[i] = u[i] + p.step * (u[i + 1] - 2 * u[i] + u[i - 1]) / p.width;
}
