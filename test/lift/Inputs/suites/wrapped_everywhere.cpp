// An object that takes every position round the ends, those of the point that is made too.
#include <utility>
#include <vector>
template <class T> struct Torus {
  int nx, ny;
  std::vector<T> data;
  T &operator()(int i, int j) { return data[((j + ny) % ny) * nx + (i + nx) % nx]; }
  const T &operator()(int i, int j) const { return data[((j + ny) % ny) * nx + (i + nx) % nx]; }
};
template <class T> void step(const Torus<T> &a, Torus<T> &b, T k) {
  for (int j = 0; j < a.ny; ++j)
    for (int i = 0; i < a.nx; ++i)
      b(i, j) =
          a(i, j) + k * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - T(4) * a(i, j));
}
// EQUAL
void torus(Torus<double> &a, Torus<double> &b, double k, int steps) {
  for (int t = 0; t < steps; ++t) {
    step(a, b, k);
    std::swap(a.data, b.data);
  }
}
