// Containers that the number of the turn chooses keep their names.
#include <vector>

// EQUAL: references.
void vectors_by_turn(int steps, int n, std::vector<double> &a, std::vector<double> &b) {
  for (int t = 0; t < steps; ++t) {
    const auto &now = t % 2 == 0 ? a : b;
    auto &next = t % 2 == 0 ? b : a;
    for (int i = 1; i < n - 1; ++i)
      next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
  }
}

// EQUAL: pointers to their elements.
void data_by_turn(int steps, int n, std::vector<float> &a, std::vector<float> &b) {
  for (int t = 0; t < steps; ++t) {
    const float *now = t & 1 ? b.data() : a.data();
    float *next = (t & 1 ? a : b).data();
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i)
        next[j * n + i] = 0.25f * (now[j * n + i - 1] + now[j * n + i + 1] + now[(j - 1) * n + i] +
                                   now[(j + 1) * n + i]);
  }
}
