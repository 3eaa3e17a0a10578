#define N 16
static const int c[7][3] = {{0, 0, 0},  {1, 0, 0}, {-1, 0, 0}, {0, 1, 0},
                            {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
/* diffusion on D3Q7, bounded by walls that are not touched */
void diffuse(float f[7][N][N][N], float g[7][N][N][N], float omega) {
  for (int z = 1; z < N - 1; z++)
    for (int y = 1; y < N - 1; y++)
      for (int x = 1; x < N - 1; x++) {
        float rho = 0;
        for (int k = 0; k < 7; k++)
          rho += f[k][z - c[k][2]][y - c[k][1]][x - c[k][0]];
        for (int k = 0; k < 7; k++) {
          float in = f[k][z - c[k][2]][y - c[k][1]][x - c[k][0]];
          g[k][z][y][x] = in + omega * (rho / 7 - in);
        }
      }
}
