// One time step of known stencils, as plain loops written from their formulas: what the
// StencilInterpreter is held against, bit for bit. Nothing here knows of stencilc.
//
// Arrays are [nz][ny][nx]; where a loop needs ghost points its arrays include them. Sums are
// written in the order of the formula, so that rounding agrees; the build forbids fusing them.

// Explicit heat equation, walls at fixed temperature.
void heat(int nz, int ny, int nx, double u[nz][ny][nx], double next[nz][ny][nx], double alpha,
          double beta) {
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        if (z == 0 || z == nz - 1 || y == 0 || y == ny - 1 || x == 0 || x == nx - 1)
          next[z][y][x] = u[z][y][x];
        else
          next[z][y][x] =
              alpha * u[z][y][x] + beta * (u[z][y][x - 1] + u[z][y][x + 1] + u[z][y - 1][x] +
                                           u[z][y + 1][x] + u[z - 1][y][x] + u[z + 1][y][x]);
}

// [su2015] 7PT-2: the neighbours of u and a source at the point. Arrays of u have one ghost layer.
void su7pt2(int nz, int ny, int nx, double u[nz + 2][ny + 2][nx + 2], double g[nz][ny][nx],
            double next[nz + 2][ny + 2][nx + 2], double alpha, double beta) {
  for (int z = 1; z <= nz; ++z)
    for (int y = 1; y <= ny; ++y)
      for (int x = 1; x <= nx; ++x)
        next[z][y][x] = alpha * g[z - 1][y - 1][x - 1] +
                        beta * (u[z][y][x - 1] + u[z][y][x + 1] + u[z][y - 1][x] +
                                u[z][y + 1][x] + u[z - 1][y][x] + u[z + 1][y][x]);
}

// [su2015] 7PT-3: diffusion with a conductivity k at every point.
void su7pt3(int nz, int ny, int nx, double u[nz + 2][ny + 2][nx + 2],
            double k[nz + 2][ny + 2][nx + 2], double g[nz][ny][nx],
            double next[nz + 2][ny + 2][nx + 2], double alpha) {
  for (int z = 1; z <= nz; ++z)
    for (int y = 1; y <= ny; ++y)
      for (int x = 1; x <= nx; ++x) {
        const double east = (k[z][y][x + 1] + k[z][y][x]) * (u[z][y][x + 1] - u[z][y][x]);
        const double west = (k[z][y][x] + k[z][y][x - 1]) * (u[z][y][x] - u[z][y][x - 1]);
        const double north = (k[z][y + 1][x] + k[z][y][x]) * (u[z][y + 1][x] - u[z][y][x]);
        const double south = (k[z][y][x] + k[z][y - 1][x]) * (u[z][y][x] - u[z][y - 1][x]);
        const double above = (k[z + 1][y][x] + k[z][y][x]) * (u[z + 1][y][x] - u[z][y][x]);
        const double below = (k[z][y][x] + k[z - 1][y][x]) * (u[z][y][x] - u[z - 1][y][x]);
        next[z][y][x] = u[z][y][x] + g[z - 1][y - 1][x - 1] +
                        alpha * (east - west + north - south + above - below);
      }
}

// [su2015] 19PT: six faces weighted, twelve edges as they are.
void su19pt(int nz, int ny, int nx, double u[nz + 2][ny + 2][nx + 2], double g[nz][ny][nx],
            double next[nz + 2][ny + 2][nx + 2], double alpha, double beta) {
  for (int z = 1; z <= nz; ++z)
    for (int y = 1; y <= ny; ++y)
      for (int x = 1; x <= nx; ++x)
        next[z][y][x] = alpha * g[z - 1][y - 1][x - 1] +
                        beta * (u[z][y][x - 1] + u[z][y][x + 1] + u[z][y - 1][x] +
                                u[z][y + 1][x] + u[z - 1][y][x] + u[z + 1][y][x]) +
                        (u[z][y - 1][x - 1] + u[z][y - 1][x + 1] + u[z][y + 1][x - 1] +
                         u[z][y + 1][x + 1] + u[z - 1][y][x - 1] + u[z - 1][y][x + 1] +
                         u[z + 1][y][x - 1] + u[z + 1][y][x + 1] + u[z - 1][y - 1][x] +
                         u[z - 1][y + 1][x] + u[z + 1][y - 1][x] + u[z + 1][y + 1][x]);
}

// [maruyama2014] diffusion in f32: seven weights, an index beyond a wall stays at the wall.
void diffusion(int nz, int ny, int nx, float f[nz][ny][nx], float next[nz][ny][nx], float ce,
               float cw, float cn, float cs, float ct, float cb, float cc) {
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const int w = x == 0 ? x : x - 1, e = x == nx - 1 ? x : x + 1;
        const int n = y == 0 ? y : y - 1, s = y == ny - 1 ? y : y + 1;
        const int b = z == 0 ? z : z - 1, t = z == nz - 1 ? z : z + 1;
        next[z][y][x] = cc * f[z][y][x] + cw * f[z][y][w] + ce * f[z][y][e] + cs * f[z][s][x] +
                        cn * f[z][n][x] + cb * f[b][y][x] + ct * f[t][y][x];
      }
}

// u + c times the Laplacian of order 4, its weights from any table of finite differences.
void star2(int nz, int ny, int nx, double u[nz][ny][nx], double next[nz][ny][nx], double c) {
  const double w0 = -7.5, w1 = 4.0 / 3.0, w2 = -1.0 / 12.0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        next[z][y][x] = u[z][y][x];
        if (z < 2 || z >= nz - 2 || y < 2 || y >= ny - 2 || x < 2 || x >= nx - 2)
          continue;
        double sum = w0 * u[z][y][x];
        sum = sum + w1 * (u[z][y][x - 1] + u[z][y][x + 1]);
        sum = sum + w2 * (u[z][y][x - 2] + u[z][y][x + 2]);
        sum = sum + w1 * (u[z][y - 1][x] + u[z][y + 1][x]);
        sum = sum + w2 * (u[z][y - 2][x] + u[z][y + 2][x]);
        sum = sum + w1 * (u[z - 1][y][x] + u[z + 1][y][x]);
        sum = sum + w2 * (u[z - 2][y][x] + u[z + 2][y][x]);
        next[z][y][x] = u[z][y][x] + c * sum;
      }
}

// Acoustic waves in f32, order 8 in space, a free surface (p = 0 above z = 0), fixed elsewhere.
// `prev` holds the level before and takes the level after.
void wave(int nz, int ny, int nx, float p[nz][ny][nx], float prev[nz][ny][nx],
          float c[nz][ny][nx], float dt, float h) {
  const float w[5] = {-205.0f / 24.0f, 8.0f / 5.0f, -1.0f / 5.0f, 8.0f / 315.0f, -1.0f / 560.0f};
  const float k = dt / h * (dt / h);
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        if (z >= nz - 4 || y < 4 || y >= ny - 4 || x < 4 || x >= nx - 4) {
          prev[z][y][x] = p[z][y][x];
          continue;
        }
        float sum = w[0] * p[z][y][x];
        for (int d = 1; d <= 4; ++d)
          sum = sum + w[d] * (p[z][y][x - d] + p[z][y][x + d]);
        for (int d = 1; d <= 4; ++d)
          sum = sum + w[d] * (p[z][y - d][x] + p[z][y + d][x]);
        for (int d = 1; d <= 4; ++d)
          sum = sum + w[d] * ((z - d < 0 ? 0.0f : p[z - d][y][x]) + p[z + d][y][x]);
        prev[z][y][x] =
            2.0f * p[z][y][x] - prev[z][y][x] + k * c[z][y][x] * c[z][y][x] * sum;
      }
}

// The mean of the 27 points around, on a torus along x and a halo elsewhere.
void box27(int nz, int ny, int nx, double u[nz + 2][ny + 2][nx], double next[nz + 2][ny + 2][nx]) {
  for (int z = 1; z <= nz; ++z)
    for (int y = 1; y <= ny; ++y)
      for (int x = 0; x < nx; ++x) {
        double sum = 0;
        for (int k = -1; k <= 1; ++k)
          for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
              const double value = u[z + k][y + j][(x + i + nx) % nx];
              sum = k == -1 && j == -1 && i == -1 ? value : sum + value;
            }
        next[z][y][x] = sum / 27.0;
      }
}

// Jacobi iteration for Poisson's equation, five points in f32.
void jacobi5(int ny, int nx, float u[ny][nx], float f[ny][nx], float next[ny][nx]) {
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      if (y == 0 || y == ny - 1 || x == 0 || x == nx - 1)
        next[y][x] = u[y][x];
      else
        next[y][x] =
            (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x] + f[y][x]) * 0.25f;
}

// A 3 x 3 box with a weight for edges and one for corners; every wall holds a number of its own.
// At a corner the axis named first, y, decides.
static double boxed(int ny, int nx, double u[ny][nx], int y, int x, double bottom, double right) {
  if (y < 0)
    return bottom;
  if (y >= ny)
    return -1.5;
  if (x < 0)
    return 0.5;
  if (x >= nx)
    return right;
  return u[y][x];
}
void jacobi9(int ny, int nx, double u[ny][nx], double next[ny][nx], double bottom, double right) {
#define U(dy, dx) boxed(ny, nx, u, y + (dy), x + (dx), bottom, right)
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      next[y][x] = 0.2 * (U(0, -1) + U(0, 1) + U(-1, 0) + U(1, 0)) +
                   0.05 * (U(-1, -1) + U(-1, 1) + U(1, -1) + U(1, 1));
#undef U
}

// Gray and Scott's reaction of two substances, diffusing on a torus.
void grayScott(int ny, int nx, double u[ny][nx], double v[ny][nx], double un[ny][nx],
               double vn[ny][nx], double du, double dv, double feed, double kill) {
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const int w = (x + nx - 1) % nx, e = (x + 1) % nx, s = (y + ny - 1) % ny, n = (y + 1) % ny;
      const double lu = u[y][w] + u[y][e] + u[s][x] + u[n][x] - 4.0 * u[y][x];
      const double lv = v[y][w] + v[y][e] + v[s][x] + v[n][x] - 4.0 * v[y][x];
      const double uvv = u[y][x] * v[y][x] * v[y][x];
      un[y][x] = u[y][x] + (du * lu - uvv + feed * (1.0 - u[y][x]));
      vn[y][x] = v[y][x] + (dv * lv + uvv - (feed + kill) * v[y][x]);
    }
}

// Fourth-order horizontal diffusion with a flux limiter; planes are independent. Two ghost layers
// in the plane; the fluxes are stored, unlike in any one-pass form.
void hdiff(int nz, int ny, int nx, double u[nz][ny + 4][nx + 4], double coeff[nz][ny][nx],
           double next[nz][ny + 4][nx + 4]) {
  for (int z = 0; z < nz; ++z) {
    double lap[ny + 4][nx + 4], fx[ny + 4][nx + 4], fy[ny + 4][nx + 4];
    for (int y = 1; y < ny + 3; ++y)
      for (int x = 1; x < nx + 3; ++x)
        lap[y][x] = 4.0 * u[z][y][x] -
                    (u[z][y][x - 1] + u[z][y][x + 1] + u[z][y - 1][x] + u[z][y + 1][x]);
    for (int y = 1; y < ny + 2; ++y)
      for (int x = 1; x < nx + 2; ++x) {
        fx[y][x] = lap[y][x + 1] - lap[y][x];
        if (fx[y][x] * (u[z][y][x + 1] - u[z][y][x]) > 0.0)
          fx[y][x] = 0.0;
        fy[y][x] = lap[y + 1][x] - lap[y][x];
        if (fy[y][x] * (u[z][y + 1][x] - u[z][y][x]) > 0.0)
          fy[y][x] = 0.0;
      }
    for (int y = 2; y < ny + 2; ++y)
      for (int x = 2; x < nx + 2; ++x)
        next[z][y][x] =
            u[z][y][x] - coeff[z][y - 2][x - 2] *
                             (fx[y][x] - fx[y][x - 1] + fy[y][x] - fy[y - 1][x]);
  }
}

// Maxwell's equations (TE) on Yee's grid, updated in place as every textbook does: each half step
// reads only the other kind of field.
void fdtd2d(int ny, int nx, double ex[ny][nx], double ey[ny][nx], double hz[ny][nx], double ce,
            double ch) {
  for (int y = 1; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      ex[y][x] = ex[y][x] + ce * (hz[y][x] - hz[y - 1][x]);
  for (int y = 0; y < ny; ++y)
    for (int x = 1; x < nx; ++x)
      ey[y][x] = ey[y][x] - ce * (hz[y][x] - hz[y][x - 1]);
  for (int y = 0; y < ny - 1; ++y)
    for (int x = 0; x < nx - 1; ++x)
      hz[y][x] = hz[y][x] + ch * (ex[y + 1][x] - ex[y][x] - ey[y][x + 1] + ey[y][x]);
}

// Upwind advection along x on a ring, f32 data with an f64 speed per column, and a damping profile
// along y; computed in f64 and rounded to f32 once.
void advect(int ny, int nx, float q[ny][nx], double speed[nx], float damping[ny],
            float next[ny][nx]) {
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const float slope = q[y][x] - q[y][(x + nx - 1) % nx];
      const float damped = damping[y] * q[y][x];
      next[y][x] = (float)((double)damped - speed[x] * (double)slope);
    }
}
