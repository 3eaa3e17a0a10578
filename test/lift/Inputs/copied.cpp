// Containers that are set as a whole in ways that are no copy of all their elements.
#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>
#include <vector>
using Vector = std::vector<double>;

// REFUSED: `u = std::move(un)` leaves nothing in what it is moved from
void moved(int steps, int n, Vector &u, Vector &un) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n; i++)
      un[i] = u[i] - u[i - 1];
    u = std::move(un);
  }
}

// REFUSED: `u = Vector(n, 0.0)` sets `u` as a whole to what is no other array of its type
void made_anew(int n, Vector &u, Vector &un) {
  u = Vector(n, 0.0);
  for (int i = 1; i < n; i++)
    un[i] = u[i] - u[i - 1];
}

// REFUSED: `u = un` lets `u` name other elements and copies none
void views(int steps, int n, std::span<double> u, std::span<double> un) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n; i++)
      un[i] = u[i] - u[i - 1];
    u = un;
  }
}

// REFUSED: `u` is set as a whole, but how many elements it has is not known
void two_ends(int n, int m, Vector &u, Vector &un) {
  for (int i = 1; i < n; i++)
    un[i] = u[i] - u[i - 1];
  for (int i = 1; i < m; i++)
    un[i] = u[i] + u[i - 1];
  u = un;
}

// REFUSED: `u = un` copies an array under a condition
void sometimes(int n, double limit, Vector &u, Vector &un) {
  for (int i = 1; i < n; i++)
    un[i] = u[i] - u[i - 1];
  if (limit > 0)
    u = un;
}

// REFUSED: `u` is filled with what is read of an array
void filled(int n, Vector &u, Vector &un) {
  for (int i = 1; i < n; i++)
    un[i] = u[i] - u[i - 1];
  std::fill(u.begin(), u.end(), un[3]);
}

// REFUSED: `std::copy(un.begin(), u.end(), u.begin())` starts in one array and ends in another
void two_arrays(int n, Vector &u, Vector &un) {
  for (int i = 1; i < n; i++)
    un[i] = u[i] - u[i - 1];
  std::copy(un.begin(), u.end(), u.begin());
}

static double changing(std::array<double, 2> pair) {
  pair[0] += 1;
  return pair[0] * pair[1];
}
// REFUSED: `pair` is a copy that the function changes
void copies_changed(int n, const std::array<double, 2> *u, double *un) {
  for (int i = 1; i < n; i++) {
    const std::array<double, 2> here = u[i - 1];
    un[i] = changing(here) + here[0];
  }
}

// REFUSED: `of(u[i - 1])` calls a std::function: which one it holds is known only during a run
void held_function(int n, const Vector &u, Vector &un, std::function<double(double)> of) {
  for (int i = 1; i < n; i++)
    un[i] = of(u[i - 1]);
}

// REFUSED: a loop over the elements of a container, which have no places there
void ranged(int n, Vector &u, Vector &un) {
  for (double &x : u)
    x *= 2;
  for (int i = 1; i < n; i++)
    un[i] = u[i - 1] + u[i];
}
