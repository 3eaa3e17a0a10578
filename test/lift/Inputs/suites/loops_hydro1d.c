void hydro(int loop, int n, double *x, double *y, double *z, double q, double r, double t) {
  for (int l = 1; l <= loop; l++)
    for (int k = 0; k < n; k++)
      x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
}
