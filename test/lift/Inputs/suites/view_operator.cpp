#include <cstddef>
template <class T> struct View3 {
  T *data_;
  int n0, n1, n2;
  T &operator()(int i, int j, int k) const {
    return data_[(static_cast<std::size_t>(i) * n1 + j) * n2 + k];
  }
  int extent(int r) const { return r == 0 ? n0 : r == 1 ? n1 : n2; }
};
template <class T> void laplace(View3<const T> in, View3<T> out) {
  for (int i = 1; i < in.extent(0) - 1; ++i)
    for (int j = 1; j < in.extent(1) - 1; ++j)
      for (int k = 1; k < in.extent(2) - 1; ++k)
        out(i, j, k) = in(i - 1, j, k) + in(i + 1, j, k) + in(i, j - 1, k) + in(i, j + 1, k) +
                       in(i, j, k - 1) + in(i, j, k + 1) - T(6) * in(i, j, k);
}
template void laplace<float>(View3<const float>, View3<float>);
