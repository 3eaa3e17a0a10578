// A function that fills an array of its own before the steps.
#include <vector>
double decayed(int n, int steps, double r) {
  std::vector<double> u(n), v(n);
  for (int i = 0; i < n; i++)
    u[i] = i < 10 ? 1.0 : 0.0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]);
    v[0] = 0;
    v[n - 1] = 0;
    u = v;
  }
  return u[n / 2];
}
