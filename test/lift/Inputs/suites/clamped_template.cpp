// Positions kept by the library's function, and values too; the first point is told by its number.
#include <algorithm>
template <int R>
void clamped_template(const float *__restrict in, float *__restrict out, int height, int width) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int d = -R; d <= R; ++d)
        sum += in[y * width + std::clamp(x + d, 0, width - 1)];
      const int above = y ? y - 1 : height - 1;
      out[y * width + x] = std::clamp(sum - in[above * width + x], 0.5f, 2.5f);
    }
}
template void clamped_template<2>(const float *__restrict, float *__restrict, int, int);
