// A launch with a name, and its extents as a list: neither is a number of the grid.
#include <string>
struct Range {
  int first_row, first, rows, columns;
};
template <class Body> void launch(const std::string &, Range range, const Body &body) {
  for (int i = range.first_row; i < range.rows; ++i)
    for (int j = range.first; j < range.columns; ++j)
      body(i, j);
}
void heat(double *u, double *v, int n, int m, double r) {
  launch("step", {1, 1, n - 1, m - 1}, [=](int i, int j) {
    v[i * m + j] = u[i * m + j] + r * (u[(i - 1) * m + j] + u[i * m + j + 1]);
  });
}
