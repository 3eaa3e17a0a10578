#include <vector>
using Board = std::vector<std::vector<int>>;

// EQUAL: rows that each are a vector, as long as the vectors say
void boards(const Board &cells, Board &later) {
  const int rows = cells.size(), columns = cells[0].size();
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      int living = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (dy != 0 || dx != 0)
            living += cells[(y + dy + rows) % rows][(x + dx + columns) % columns];
      later[y][x] = (living == 3 || (living == 2 && cells[y][x])) ? 1 : 0;
    }
}

// EQUAL: planes of them, as long as the loops go
void planes(std::vector<std::vector<std::vector<float>>> &heat, int n,
            std::vector<std::vector<std::vector<short>>> &isWarm) {
  for (int z = 1; z <= n; ++z)
    for (int y = 1; y <= n + 2; ++y)
      for (int x = 0; x < n; ++x)
        isWarm[z][y][x] = heat[z - 1][y][x] + heat[z + 1][y][x] > heat[z][y - 1][x] ? 1 : -1;
}
