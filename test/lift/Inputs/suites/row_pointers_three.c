void box3(const float *src, float *dst, int w, int h) {
  for (int y = 1; y < h - 1; y++) {
    const float *above = src + (y - 1) * w, *here = src + y * w, *below = src + (y + 1) * w;
    float *out = dst + y * w;
    for (int x = 1; x < w - 1; x++)
      out[x] = (above[x - 1] + above[x] + above[x + 1] + here[x - 1] + here[x] + here[x + 1] +
                below[x - 1] + below[x] + below[x + 1]) *
               (1.f / 9);
  }
}
