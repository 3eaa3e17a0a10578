static inline int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
void blur(int h, int w, const float *in, float *out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          s += in[clampi(y + dy, 0, h - 1) * w + clampi(x + dx, 0, w - 1)];
      out[y * w + x] = s / 9;
    }
}
