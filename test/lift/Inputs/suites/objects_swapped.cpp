// Objects that change places as a whole.
#include <utility>
#include <vector>

struct Plane {
  int nx, ny;
  double spacing;
  std::vector<double> data;
  double &operator()(int i, int j) { return data[j * nx + i]; }
};

// EQUAL
void planes(Plane &a, Plane &b, int steps, double r) {
  for (int t = 0; t < steps; t++) {
    for (int j = 1; j < a.ny - 1; j++)
      for (int i = 1; i < a.nx - 1; i++)
        b(i, j) =
            a(i, j) + r / (a.spacing * a.spacing) *
                          (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - 4 * a(i, j));
    std::swap(a, b);
  }
}
