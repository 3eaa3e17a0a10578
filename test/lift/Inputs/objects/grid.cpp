#include <chrono>
#include <cstddef>
#include <iostream>
#include <vector>
class Grid {
public:
  Grid(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), data_(rows * cols) {}
  double &operator()(std::size_t i, std::size_t j) { return data_[i * cols_ + j]; }
  const double &operator()(std::size_t i, std::size_t j) const { return data_[i * cols_ + j]; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }

private:
  std::size_t rows_, cols_;
  std::vector<double> data_;
};
void jacobi(const Grid &u, Grid &un, const Grid &f, double h2) {
  for (std::size_t i = 1; i < u.rows() - 1; ++i)
    for (std::size_t j = 1; j < u.cols() - 1; ++j)
      un(i, j) = 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) + h2 * f(i, j));
}
int main() {
  Grid u(10, 10), v(10, 10), f(10, 10);
  auto t = std::chrono::steady_clock::now();
  jacobi(u, v, f, 0.01);
  std::cout << (std::chrono::steady_clock::now() - t).count() << "\n";
}
