// Steps that use an array for one thing after the other, as Runge-Kutta methods do.

#define IDX(i, j) ((i) * m + (j))
static void rhs(int n, int m, const double *u, double *k, double d) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      k[IDX(i, j)] = d * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] +
                          u[IDX(i, j + 1)] - 4 * u[IDX(i, j)]);
}
static void axpy(int n, int m, double *out, const double *u, double a, const double *k) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      out[IDX(i, j)] = u[IDX(i, j)] + a * k[IDX(i, j)];
}
// EQUAL
void rk3(int n, int m, int steps, double *u, double *k, double *tmp, double *sum, double dt,
         double d) {
  for (int s = 0; s < steps; s++) {
    rhs(n, m, u, k, d);
    axpy(n, m, tmp, u, 0.5 * dt, k);
    axpy(n, m, sum, u, dt / 6, k);
    rhs(n, m, tmp, k, d);
    axpy(n, m, tmp, u, 0.75 * dt, k);
    axpy(n, m, sum, sum, dt / 3, k);
    rhs(n, m, tmp, k, d);
    axpy(n, m, u, sum, dt / 2, k);
  }
}

static void slope(int n, const double *u, double *k) {
  for (int i = 0; i < n; i++)
    k[i] = u[(i + n - 1) % n] - 2 * u[i] + u[(i + 1) % n];
}
// EQUAL
void rk4(int n, int steps, double *u, double *acc, double *k, double *tmp, double dt) {
  for (int s = 0; s < steps; s++) {
    slope(n, u, k);
    for (int i = 0; i < n; i++) {
      acc[i] = k[i];
      tmp[i] = u[i] + 0.5 * dt * k[i];
    }
    slope(n, tmp, k);
    for (int i = 0; i < n; i++) {
      acc[i] += 2 * k[i];
      tmp[i] = u[i] + 0.5 * dt * k[i];
    }
    slope(n, tmp, k);
    for (int i = 0; i < n; i++) {
      acc[i] += 2 * k[i];
      tmp[i] = u[i] + dt * k[i];
    }
    slope(n, tmp, k);
    for (int i = 0; i < n; i++)
      u[i] += dt / 6 * (acc[i] + k[i]);
  }
}

// EQUAL: in place
void ssp(int n, int steps, double *u, double *u0, double *k, double dt) {
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++)
      u0[i] = u[i];
    for (int i = 1; i < n - 1; i++)
      k[i] = u[i - 1] - 2 * u[i] + u[i + 1];
    for (int i = 1; i < n - 1; i++)
      u[i] = u[i] + dt * k[i];
    for (int i = 1; i < n - 1; i++)
      k[i] = u[i - 1] - 2 * u[i] + u[i + 1];
    for (int i = 1; i < n - 1; i++)
      u[i] = 0.75 * u0[i] + 0.25 * (u[i] + dt * k[i]);
    for (int i = 1; i < n - 1; i++)
      k[i] = u[i - 1] - 2 * u[i] + u[i + 1];
    for (int i = 1; i < n - 1; i++)
      u[i] = u0[i] / 3 + 2.0 / 3 * (u[i] + dt * k[i]);
  }
}

// EQUAL: swept
void adv(int nx, int ny, int steps, double u[ny][nx], double tmp[ny][nx], double cx, double cy) {
  for (int s = 0; s < steps; s++) {
    for (int j = 0; j < ny; j++)
      for (int i = 1; i < nx; i++)
        tmp[j][i] = u[j][i] - cx * (u[j][i] - u[j][i - 1]);
    for (int j = 0; j < ny; j++)
      for (int i = 1; i < nx; i++)
        u[j][i] = tmp[j][i];
    for (int j = 1; j < ny; j++)
      for (int i = 0; i < nx; i++)
        tmp[j][i] = u[j][i] - cy * (u[j][i] - u[j - 1][i]);
    for (int j = 1; j < ny; j++)
      for (int i = 0; i < nx; i++)
        u[j][i] = tmp[j][i];
  }
}

// EQUAL: edges set once
void part(int n, int steps, double *u, double *t, double *w) {
  for (int s = 0; s < steps; s++) {
    t[0] = u[0] * 2;
    t[n - 1] = u[n - 1];
    for (int i = 1; i < n - 1; i++)
      t[i] = u[i - 1] + u[i + 1];
    for (int i = 1; i < n - 1; i++)
      w[i] = 0.25 * (t[i - 1] + t[i + 1]);
    for (int i = 1; i < n - 1; i++)
      t[i] = w[i] + u[i];
    for (int i = 1; i < n - 1; i++)
      u[i] = 0.2 * (t[i + 1] - t[i - 1]);
  }
}

// EQUAL: a part of it
void shrink(int n, int steps, double *u, double *t, double *w) {
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++)
      t[i] = u[i] * 0.5;
    for (int i = 1; i < n - 1; i++)
      w[i] = 0.25 * (t[i - 1] + t[i + 1]);
    for (int i = 1; i < n - 1; i++)
      t[i] = w[i] + 1;
    for (int i = 1; i < n - 1; i++)
      u[i] = 0.2 * (t[i + 1] - t[i - 1]);
  }
}

// EQUAL: made of what it holds
void twice(int n, double a[n], double b[n], double c[n]) {
  for (int i = 0; i < n; i++)
    a[i] = b[i];
  for (int i = 1; i < n; i++)
    c[i] = a[i - 1];
  for (int i = 1; i < n; i++)
    a[i] = 2 * b[i] + a[i];
}
