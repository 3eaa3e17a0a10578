// Vectors of bits, whose elements are objects of their own.
#include <vector>

// EQUAL: rows of bits
void life(std::vector<std::vector<bool>> &cells, std::vector<std::vector<bool>> &next, int rows,
          int columns) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      int around = 0;
      for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
          if ((y || x) && cells[(i + y + rows) % rows][(j + x + columns) % columns])
            around++;
      next[i][j] = around == 3 || (cells[i][j] && around == 2);
    }
}

// EQUAL: one row, read as numbers and as truths, and handed on as it is
void rule(const std::vector<bool> &old, std::vector<bool> &now, std::vector<bool> &last, int n) {
  for (int i = 1; i < n - 1; i++) {
    const bool left = old[i - 1];
    now[i] = !left && old[i - 1] + old[i] + last[i] > 1;
  }
  for (int i = 1; i < n - 1; i++)
    last[i] = now[i];
}
