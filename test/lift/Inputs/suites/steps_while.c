void heat(double *u, double *v, int n, int steps, double c) {
  int t = 0;
  while (t < steps) {
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1]);
    double *s = u;
    u = v;
    v = s;
    t++;
  }
}
