/* A method of Runge and Kutta by a function for the slope, round the ends of arrays of a fixed size. */
#define N 100

static void slope(const double *u, const double *v, double *du, double *dv) {
  for (int i = 0; i < N; i++) {
    int left = (i + N - 1) % N, right = (i + 1) % N;
    du[i] = v[i];
    dv[i] = u[left] - 2 * u[i] + u[right];
  }
}

void stages(double *u, double *v, double dt, int steps) {
  double du1[N], dv1[N], du2[N], dv2[N], du3[N], dv3[N], nu[N], nv[N];
  for (int t = 0; t < steps; t++) {
    slope(u, v, du1, dv1);
    for (int i = 0; i < N; i++) {
      nu[i] = u[i] + 0.5 * dt * du1[i];
      nv[i] = v[i] + 0.5 * dt * dv1[i];
    }
    slope(nu, nv, du2, dv2);
    for (int i = 0; i < N; i++) {
      nu[i] = u[i] + dt * du2[i];
      nv[i] = v[i] + dt * dv2[i];
    }
    slope(nu, nv, du3, dv3);
    for (int i = 0; i < N; i++) {
      u[i] += dt / 6 * (du1[i] + 4 * du2[i] + du3[i]);
      v[i] += dt / 6 * (dv1[i] + 4 * dv2[i] + dv3[i]);
    }
  }
}
