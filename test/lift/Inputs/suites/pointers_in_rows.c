void smooth3(const float *src, float *dst, int w, int h) {
  for (int y = 1; y < h - 1; y++) {
    const float *s = src + y * w + 1;
    float *d = dst + y * w + 1;
    for (int x = 1; x < w - 1; x++, s++, d++)
      *d = 0.25f * (s[-1] + s[1] + s[-w] + s[w]);
  }
}
