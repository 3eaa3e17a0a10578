// How long rows are is asked of the first one, if there is one
#include <vector>

// EQUAL
void spread(std::vector<std::vector<double>> &a, std::vector<std::vector<double>> &b) {
  int m = a.size(), n = m > 0 ? a[0].size() : 0;
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = a[i - 1][j] + a[i][j + 1];
}
