#include <algorithm>
void blur(int h, int w, const float *in, float *out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int l = std::max(x - 1, 0), r = std::min(x + 1, w - 1), u = std::max(y - 1, 0),
          d = std::min(y + 1, h - 1);
      out[y * w + x] = 0.25f * (in[y * w + l] + in[y * w + r] + in[u * w + x] + in[d * w + x]);
    }
}
