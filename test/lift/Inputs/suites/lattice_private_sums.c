/* D3Q7: sums of a point are gathered in a small array, which starts from a list. */
enum { Q = 7 };
static const int e[Q][3] = {{0, 0, 0}, {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                            {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
void lattice_private_sums(int n, float tau, float src[Q][n][n][n], float dst[Q][n][n][n]) {
  for (int z = 1; z < n - 1; z++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < n - 1; x++) {
        float f[Q], feq[Q], rho = 0.f, u[3] = {0.f};
        for (int q = 0; q < Q; q++) {
          f[q] = src[q][z - e[q][2]][y - e[q][1]][x - e[q][0]];
          rho += f[q];
          for (int a = 0; a < 3; a++)
            u[a] += f[q] * e[q][a];
        }
        for (int a = 0; a < 3; a++)
          u[a] /= rho;
        for (int q = 0; q < Q; q++)
          feq[q] = rho / 7 * (1.f + 3.5f * (e[q][0] * u[0] + e[q][1] * u[1] + e[q][2] * u[2]));
        for (int q = 0; q < Q; q++)
          dst[q][z][y][x] = f[q] - (f[q] - feq[q]) / tau;
      }
}
