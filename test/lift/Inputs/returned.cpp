#include <cstdlib>
#include <vector>

std::vector<double> smoothed(const std::vector<double> &u) {
  std::vector<double> result(u.size(), 0.0);
  for (std::size_t i = 1; i + 1 < u.size(); ++i)
    result[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
  return result;
}

float *slopes(const float *u, int ny, int nx) {
  float *slope = (float *)std::malloc(ny * nx * sizeof(float));
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      slope[y * nx + x] = x > 0 ? u[y * nx + x] - u[y * nx + x - 1] : 0;
  return slope;
}
