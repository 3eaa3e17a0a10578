/* Waves by two levels, of which a step changes the older one, too */

/* a source before the step */
// EQUAL
void shot(float **last, float **now, float **speed, const float *wavelet, int nz, int nx, int steps,
          int sz, int sx) {
  for (int t = 0; t < steps; t++) {
    now[sx][sz] += wavelet[t];
    for (int x = 1; x < nx - 1; x++)
      for (int z = 1; z < nz - 1; z++)
        last[x][z] = 2 * now[x][z] - last[x][z] +
                     speed[x][z] * (now[x - 1][z] + now[x + 1][z] + now[x][z - 1] + now[x][z + 1] -
                                    4 * now[x][z]);
    float **made = last;
    last = now;
    now = made;
  }
}

/* both are damped after it */
// EQUAL
void damped(int n, int m, int steps, double *old, double *u, const double *damp) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        old[i * m + j] = 2 * u[i * m + j] - old[i * m + j] +
                         0.1 * (u[i * m + j - 1] + u[i * m + j + 1] + u[(i - 1) * m + j] +
                                u[(i + 1) * m + j] - 4 * u[i * m + j]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        old[i * m + j] *= damp[j];
        u[i * m + j] *= damp[j];
      }
    double *next = old;
    old = u;
    u = next;
  }
}

/* a string, whose points are as many as the steps for all that is known */
// EQUAL
void plucked(int n, int steps, double *last, double *now, const double *pulse, int s, double c) {
  for (int t = 0; t < steps; t++) {
    now[s] += pulse[t];
    for (int i = 1; i < n - 1; i++)
      last[i] = 2 * now[i] - last[i] + c * (now[i - 1] - 2 * now[i] + now[i + 1]);
    double *made = last;
    last = now;
    now = made;
  }
}
