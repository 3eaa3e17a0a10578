/* Blocks whose rows are counted from their own beginning */
static int least(int a, int b) { return a < b ? a : b; }

void blocked(int nx, int ny, int tile_x, int tile_y, const float *from, float *to) {
  for (int by = 2; by < ny - 2; by += tile_y)
    for (int bx = 2; bx < nx - 2; bx += tile_x) {
      int rows = least(by + tile_y, ny - 2), width = least(tile_x, nx - 2 - bx);
      for (int y = by; y < rows; y++) {
        const float *here = from + y * nx + bx;
        float *there = to + y * nx + bx;
        for (int x = 0; x < width; x++)
          there[x] = here[x - 2] + here[x + 2] + here[x - 2 * nx] + here[x + 2 * nx] - 4 * here[x];
      }
    }
}
