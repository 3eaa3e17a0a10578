// One step of a class that keeps its levels: they change places at its end.
#include <vector>
struct Rod {
  int n;
  double r;
  std::vector<double> u, next;
  void advance() {
    for (int i = 1; i < n - 1; i++)
      next[i] = u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]);
    u.swap(next);
  }
};
