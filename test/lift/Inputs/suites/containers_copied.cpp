// Containers that are copied and filled as a whole.
#include <algorithm>
#include <array>
#include <vector>

// EQUAL: by `=`, as far as the loops reach.
void vectors_assigned(int steps, int nx, int ny, std::vector<double> &u, std::vector<double> &un) {
  for (int t = 0; t < steps; ++t) {
    un = u;
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        u[j * nx + i] = un[j * nx + i + 1] - un[(j + 1) * nx + i];
  }
}

// EQUAL: of a size that the loop says.
void vectors_sized(int steps, std::vector<double> &u, std::vector<double> &un) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < (int)u.size() - 1; i++)
      un[i] = u[i] - 0.1 * (u[i] - u[i - 1]);
    u = un;
  }
}

using Grid = std::array<std::array<double, 40>, 30>;

// EQUAL: arrays of known extents.
void arrays_assigned(int steps, Grid &u, Grid &un) {
  for (int t = 0; t < steps; ++t) {
    for (int j = 1; j < 29; j++)
      for (int i = 1; i < 39; i++)
        un[j][i] = u[j][i + 1] - u[j - 1][i];
    u = un;
  }
}

// EQUAL: row by row.
void rows_assigned(int steps, Grid &u, Grid &un) {
  for (int t = 0; t < steps; ++t) {
    for (int j = 0; j < 30; j++)
      un[j] = u[j];
    for (int j = 1; j < 29; j++)
      for (int i = 1; i < 39; i++)
        u[j][i] = un[j][i + 1] - un[j - 1][i];
  }
}

// EQUAL: a copy that each step makes anew.
void copy_declared(int steps, int n, std::vector<float> &u) {
  for (int t = 0; t < steps; ++t) {
    const auto un = u;
    for (int i = 1; i < n - 1; i++)
      u[i] = un[i] - 0.1f * (un[i] - un[i + 1]);
  }
}

// EQUAL: by std::copy.
void copied_by_iterators(int steps, int n, std::vector<double> &u, std::vector<double> &un) {
  for (int t = 0; t < steps; ++t) {
    std::copy(u.begin(), u.end(), un.begin());
    for (int i = 1; i < n - 1; i++)
      u[i] = 0.5 * (un[i - 1] + un[i + 1]);
  }
}

// EQUAL: by std::copy_n and std::fill, of pointers.
void copied_by_pointers(int steps, int n, double *u, double *sum) {
  for (int t = 0; t < steps; ++t) {
    std::fill(sum, sum + n, 0.5);
    for (int i = 1; i < n - 1; i++)
      sum[i] = u[i - 1] + u[i + 1];
    std::copy_n(sum, n, u);
  }
}
