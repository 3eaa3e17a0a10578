#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using Plane = std::vector<std::vector<double>>;

void settle(Plane &now, Plane &later, int rows, int columns, double close) {
  double change = 2 * close;
  while (change > close) {
    change = 0;
    for (int r = 1; r < rows - 1; r++)
      for (int c = 1; c < columns - 1; c++) {
        later[r][c] = 0.25 * (now[r - 1][c] + now[r + 1][c] + now[r][c - 1] + now[r][c + 1]);
        change = std::max(change, std::abs(later[r][c] - now[r][c]));
      }
    std::swap(now, later);
  }
}
