#include <vector>
struct Index {
  int nx, ny;
  double scale = 0.5;
  int operator()(int i, int j, int k) const { return i + nx * (j + ny * k); }
};
// EQUAL: an object that says where points are
void by_index(double *a, const double *b, int nx, int ny, int nz) {
  const Index at{nx, ny};
  for (int k = 1; k < nz - 1; k++)
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        a[at(i, j, k)] = at.scale * (b[at(i - 1, j, k)] + b[at(i, j + 1, k)] + b[at(i, j, k - 1)]);
}

struct View {
  double *data;
  int rows, columns;
  View(double *memory, int n, int m) : data(memory), rows(n), columns(m) {}
  double &operator()(int i, int j) const { return data[i * columns + j]; }
};
// EQUAL: objects that are made by their constructors, and copied
void by_view(double *a, double *b, int n, int m) {
  View to(a, n, m), from{b, n, m};
  View again = to;
  for (int i = 1; i < from.rows - 1; i++)
    for (int j = 1; j < from.columns - 1; j++)
      again(i, j) = from(i - 1, j) + from(i, j + 1);
}

class Grid {
  int nx_, ny_;
  std::vector<double> data_;

public:
  Grid(int nx, int ny) : nx_(nx), ny_(ny), data_(nx * ny) {}
  double &operator()(int i, int j) { return data_[i * ny_ + j]; }
  int nx() const { return nx_; }
  int ny() const { return ny_; }
};
// EQUAL: a grid of the function's own
void by_local_grid(Grid &u, int steps) {
  Grid next(u.nx(), u.ny());
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < u.nx() - 1; i++)
      for (int j = 1; j < u.ny() - 1; j++)
        next(i, j) = 0.5 * (u(i - 1, j) + u(i, j + 1));
    for (int i = 1; i < u.nx() - 1; i++)
      for (int j = 1; j < u.ny() - 1; j++)
        u(i, j) = next(i, j);
  }
}
// EQUAL: a copy in each step
void by_copy(Grid &u, int steps) {
  for (int t = 0; t < steps; t++) {
    Grid old = u;
    for (int i = 1; i < u.nx() - 1; i++)
      for (int j = 1; j < u.ny() - 1; j++)
        u(i, j) = 0.5 * (old(i - 1, j) + old(i, j + 1));
  }
}
// EQUAL: an object that becomes another one
void by_assignment(Grid &u, Grid &next, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < u.nx() - 1; i++)
      for (int j = 1; j < u.ny() - 1; j++)
        next(i, j) = 0.5 * (u(i - 1, j) + u(i, j + 1));
    u = next;
  }
}

struct Numbers {
  double step, width;
  static constexpr double half = 0.5;
};
// EQUAL: numbers of an object, set one by one
void by_members(double *a, const double *b, int n) {
  Numbers given;
  given.step = 0.1;
  given.width = 1.0 / n;
  for (int i = 1; i < n - 1; i++)
    a[i] = b[i] + Numbers::half * given.step / given.width * (b[i - 1] - 2 * b[i] + b[i + 1]);
}
