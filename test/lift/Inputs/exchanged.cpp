// What changes places by what it holds, and what by pointers to it.
#include <array>
#include <utility>
#include <vector>

double f[40], g[40];
void step() {
  for (int x = 1; x < 39; ++x)
    g[x] = f[x - 1] + f[x + 1];
  std::swap(f, g);
}

double lattice[2][40], made[2][40];
void collide() {
  for (int x = 0; x < 40; ++x) {
    made[0][x] = lattice[0][x] + lattice[1][(x + 1) % 40];
    made[1][x] = 2 * lattice[1][x];
  }
  std::swap(lattice, made);
}

void steps(double (&u)[40], double (&v)[40], int count) {
  for (int t = 0; t < count; t++) {
    for (int x = 1; x < 39; ++x)
      v[x] = u[x - 1] + u[x + 1];
    std::swap(u, v);
  }
}

void of_library(std::array<double, 40> &u, std::array<double, 40> &v, int count) {
  for (int t = 0; t < count; t++) {
    for (int x = 1; x < 39; ++x)
      v[x] = u[x - 1] + u[x + 1];
    std::swap(u, v);
  }
}

void by_pointers(std::vector<double> &u, std::vector<double> &v, int n, int count) {
  double *now = u.data(), *next = v.data();
  for (int t = 0; t < count; t++) {
    for (int x = 1; x < n - 1; ++x)
      next[x] = now[x - 1] + now[x + 1];
    std::swap(now, next);
  }
}

void arrays_by_pointers(int count) {
  double *now = f, *next = g;
  for (int t = 0; t < count; t++) {
    for (int x = 1; x < 39; ++x)
      next[x] = now[x - 1] + now[x + 1];
    std::swap(now, next);
  }
}
