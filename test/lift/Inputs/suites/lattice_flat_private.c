/* D3Q19 away from the walls: directions lie behind one another in flat memory. */
enum { NQ = 19 };
static const int e[19][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                             {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                             {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                             {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
static const float wt[19] = {1.f / 3,  1.f / 18, 1.f / 18, 1.f / 18, 1.f / 18, 1.f / 18, 1.f / 18,
                             1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36,
                             1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
void lattice_flat_private(int n, float tau, const float *src, float *dst) {
#define AT(q, z, y, x) ((((q) * n + (z)) * n + (y)) * n + (x))
  for (int z = 1; z < n - 1; z++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < n - 1; x++) {
        float f[NQ], feq[NQ], rho = 0.f, u[3] = {0.f, 0.f, 0.f};
        for (int q = 0; q < NQ; q++) {
          f[q] = src[AT(q, z - e[q][2], y - e[q][1], x - e[q][0])];
          rho += f[q];
          for (int a = 0; a < 3; a++)
            u[a] += f[q] * e[q][a];
        }
        for (int a = 0; a < 3; a++)
          u[a] /= rho;
        for (int q = 0; q < NQ; q++) {
          float eu = e[q][0] * u[0] + e[q][1] * u[1] + e[q][2] * u[2];
          feq[q] =
              wt[q] * rho *
              (1.f + 3.f * eu + 4.5f * eu * eu - 1.5f * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
        }
        for (int q = 0; q < NQ; q++)
          dst[AT(q, z, y, x)] = f[q] - (f[q] - feq[q]) / tau;
      }
}
