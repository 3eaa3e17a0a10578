#include <memory>
#include <utility>
template <typename T> struct Field {
  int nx, ny, nz;
  std::unique_ptr<T[]> data;
  Field(int nx, int ny, int nz) : nx(nx), ny(ny), nz(nz), data(new T[nx * ny * nz]()) {}
  T &at(int i, int j, int k) { return data[(k * ny + j) * nx + i]; }
  T at(int i, int j, int k) const { return data[(k * ny + j) * nx + i]; }
};
template <typename T> void step(const Field<T> &u, Field<T> &v, T c) {
  for (int k = 1; k < u.nz - 1; ++k)
    for (int j = 1; j < u.ny - 1; ++j)
      for (int i = 1; i < u.nx - 1; ++i)
        v.at(i, j, k) =
            u.at(i, j, k) +
            c * (u.at(i - 1, j, k) + u.at(i + 1, j, k) + u.at(i, j - 1, k) + u.at(i, j + 1, k) +
                 u.at(i, j, k - 1) + u.at(i, j, k + 1) - T(6) * u.at(i, j, k));
}
template void step<float>(const Field<float> &, Field<float> &, float);
