/* SPEC-like: pull, one array of cells */
#define SIZE_X 20
#define SIZE_Y 20
#define SIZE_Z 26
#define OMEGA (1.95)
enum { C = 0, NN, S, E, W, T, B, N_CELL_ENTRIES };
typedef double LBM_Grid[SIZE_Z * SIZE_Y * SIZE_X * N_CELL_ENTRIES];
#define CALC_INDEX(x, y, z, e) ((e) + N_CELL_ENTRIES * ((x) + (y) * SIZE_X + (z) * SIZE_X * SIZE_Y))
#define GRID_ENTRY(g, x, y, z, e) ((g)[CALC_INDEX(x, y, z, e)])
void step(LBM_Grid src, LBM_Grid dst) {
  for (int z = 1; z < SIZE_Z - 1; z++)
    for (int y = 1; y < SIZE_Y - 1; y++)
      for (int x = 1; x < SIZE_X - 1; x++) {
        double c = GRID_ENTRY(src, x, y, z, C), n = GRID_ENTRY(src, x, y - 1, z, NN),
               s = GRID_ENTRY(src, x, y + 1, z, S), e = GRID_ENTRY(src, x - 1, y, z, E),
               w = GRID_ENTRY(src, x + 1, y, z, W), t = GRID_ENTRY(src, x, y, z - 1, T),
               b = GRID_ENTRY(src, x, y, z + 1, B);
        double rho = c + n + s + e + w + t + b;
        GRID_ENTRY(dst, x, y, z, C) = (1.0 - OMEGA) * c + OMEGA * rho * 0.4;
        GRID_ENTRY(dst, x, y, z, NN) = (1.0 - OMEGA) * n + OMEGA * rho * 0.1;
        GRID_ENTRY(dst, x, y, z, S) = (1.0 - OMEGA) * s + OMEGA * rho * 0.1;
        GRID_ENTRY(dst, x, y, z, E) = (1.0 - OMEGA) * e + OMEGA * rho * 0.1;
        GRID_ENTRY(dst, x, y, z, W) = (1.0 - OMEGA) * w + OMEGA * rho * 0.1;
        GRID_ENTRY(dst, x, y, z, T) = (1.0 - OMEGA) * t + OMEGA * rho * 0.1;
        GRID_ENTRY(dst, x, y, z, B) = (1.0 - OMEGA) * b + OMEGA * rho * 0.1;
      }
}
