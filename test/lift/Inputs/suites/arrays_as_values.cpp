// Small arrays that functions take and return by value
#include <array>
#include <cmath>
#include <vector>

using State = std::array<double, 3>;

State flux(const State &u) {
  const double v = u[1] / u[0];
  return State{u[1], u[1] * v + u[2], v * u[2]};
}
State half(State left, const State &right) {
  State mean;
  for (int k = 0; k < 3; k++)
    mean[k] = 0.5 * (left[k] + right[k]);
  return mean;
}

// EQUAL
void lax(std::vector<State> &u, std::vector<State> &w, double r, int n) {
  for (int i = 1; i < n - 1; i++) {
    State before = flux(u[i - 1]);
    const State behind = flux(u[i + 1]);
    for (int k = 0; k < 3; k++)
      w[i][k] = 0.5 * (u[i - 1][k] + u[i + 1][k]) - r * (behind[k] - before[k]);
  }
  w[0] = w[1];
  w[n - 1] = w[n - 2];
}

// EQUAL
void means(const std::vector<State> &u, std::vector<State> &w, int n) {
  for (int i = 1; i < n - 1; i++) {
    State here = u[i];
    here[0] += 1;
    if (here[1] > 0)
      here[1] = u[i - 1][1];
    const State next = half(here, u[i + 1]);
    w[i] = next;
  }
}

// EQUAL
void stored(const std::vector<State> &u, std::vector<State> &w, int n) {
  for (int i = 1; i < n - 1; i++)
    w[i] = half(u[i - 1], flux(u[i]));
}

// EQUAL
void listed(const std::vector<State> &u, std::vector<State> &w, int n) {
  for (int i = 1; i < n - 1; i++) {
    const State change = {u[i - 1][1], u[i][0] * u[i][1], u[i + 1][2]};
    for (int k = 0; k < 3; k++)
      w[i][k] = u[i][k] - change[k];
  }
}
