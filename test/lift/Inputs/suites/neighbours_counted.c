#define ROWS 24
#define COLUMNS 31
void generations(double cells[ROWS][COLUMNS], double later[ROWS][COLUMNS], int count) {
  for (int g = 0; g < count; g++) {
    for (int y = 0; y < ROWS; y++)
      for (int x = 0; x < COLUMNS; x++) {
        double alive = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            if (dy || dx)
              alive += cells[(y + dy + ROWS) % ROWS][(x + dx + COLUMNS) % COLUMNS];
        later[y][x] = !(alive < 2 || alive > 3) && (cells[y][x] > 0.5 || alive > 2.5) ? 1 : 0;
      }
    for (int y = 0; y < ROWS; y++)
      for (int x = 0; x < COLUMNS; x++)
        cells[y][x] = later[y][x];
  }
}
