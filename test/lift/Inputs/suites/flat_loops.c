// One loop over all points, which takes their place from the turn.

// EQUAL
void flat_branches(int nx, int ny, const double *u, double *v, double r) {
  for (int p = 0; p < nx * ny; p++) {
    int i = p % nx, j = p / nx;
    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1)
      v[p] = u[p] + r * (u[p - 1] + u[p + 1] + u[p - nx] + u[p + nx] - 4 * u[p]);
    else
      v[p] = u[p];
  }
}

// EQUAL
void flat_planes(int nx, int ny, int nz, const double *u, double *v, double r) {
  for (int p = 0; p < nx * ny * nz; p++) {
    int i = p % nx, j = (p / nx) % ny, k = p / (nx * ny);
    if (i == 0 || j == 0 || k == 0 || i == nx - 1 || j == ny - 1 || k == nz - 1)
      continue;
    v[p] = u[p] + r * (u[p - 1] + u[p + 1] + u[p - nx] + u[p + nx] + u[p - nx * ny] +
                       u[p + nx * ny] - 6 * u[p]);
  }
}

#define NX 24
#define NY 20
#define NZ 10
// The remainder by a plane, numbers, and points that are left early.
// EQUAL
void flat_remainder(const float *u, float *v, float r) {
  int point;
  for (point = 0; point < NX * NY * NZ; point++) {
    int k = point / (NX * NY);
    int rest = point % (NX * NY);
    int j = rest / NX;
    int i = rest % NX;
    if (i < 1 || i >= NX - 1 || j < 1 || j >= NY - 1 || k < 1 || k >= NZ - 1) {
      v[point] = u[point];
      continue;
    }
    v[point] = u[point] + r * (u[point - 1] + u[point + 1] + u[point - NX] + u[point + NX] +
                               u[point - NX * NY] + u[point + NX * NY] - 6.0f * u[point]);
  }
}

// A sum over all points, and a row by subtraction.
// EQUAL
double flat_sum(int n, int m, int steps, double *u, double *v) {
  double sum = 0;
  for (int t = 0; t < steps; t++) {
    for (int c = 0; c < n * m; c++) {
      int row = c / m, column = c - row * m;
      if (row > 0 && row < n - 1 && column > 0 && column < m - 1)
        v[c] = 0.25 * (u[c - 1] + u[c + 1] + u[c - m] + u[c + m]);
      else
        v[c] = u[c];
    }
    double *last = u;
    u = v;
    v = last;
  }
  for (int c = 0; c < n * m; c++)
    sum += u[c];
  return sum;
}

static void point(int p, int nx, int ny, const double *u, double *v, double r) {
  int i = p % nx;
  int j = p / nx;
  if (i == 0 || i == nx - 1 || j == 0 || j == ny - 1)
    return;
  v[p] = u[p] + r * (u[p - 1] + u[p + 1] + u[p - nx] + u[p + nx] - 4 * u[p]);
}
// A function for each point, as kernels of GPUs are written.
// EQUAL
void flat_called(int nx, int ny, const double *u, double *v, double r) {
  for (int p = 0; p < nx * ny; p++)
    point(p, nx, ny, u, v, r);
}

#define W 40
#define H 30
// Rows inside alone, of arrays of arrays.
// EQUAL
void flat_rows(double u[H][W], double v[H][W]) {
  for (int p = W; p < W * (H - 1); p++) {
    int y = p / W, x = p % W;
    if (x == 0 || x == W - 1)
      continue;
    v[y][x] = u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x];
  }
}

// EQUAL
void flat_profile(int nx, int ny, const double *u, double *v, const double *profile) {
  for (int p = 0; p < nx * ny; p++)
    v[p] = u[p] * profile[p % nx];
}
