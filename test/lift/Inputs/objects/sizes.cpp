#include <vector>
typedef std::vector<std::vector<double>> Grid;
void relax(Grid &u, Grid &un) {
  const int rows = u.size(), columns = u[0].size();
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < columns - 1; j++)
      un[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}
