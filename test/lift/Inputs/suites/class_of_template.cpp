#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>
template <class T> class Field {
  std::size_t ny_, nx_;
  std::vector<T> data_;

public:
  Field(std::size_t ny, std::size_t nx) : ny_(ny), nx_(nx), data_(ny * nx) {}
  T &operator()(std::size_t j, std::size_t i) { return data_[j * nx_ + i]; }
  T operator()(std::size_t j, std::size_t i) const { return data_[j * nx_ + i]; }
  std::size_t nx() const { return nx_; }
  std::size_t ny() const { return ny_; }
};
template <class T> void relax(const Field<T> &a, Field<T> &b, const Field<T> &f, T w) {
  for (std::size_t j = 1; j < a.ny() - 1; ++j)
    for (std::size_t i = 1; i < a.nx() - 1; ++i)
      b(j, i) = (1 - w) * a(j, i) +
                w * T(0.25) * (a(j, i - 1) + a(j, i + 1) + a(j - 1, i) + a(j + 1, i) - f(j, i));
}
template void relax(const Field<float> &, Field<float> &, const Field<float> &, float);
