#define K 5
void conv(int h, int w, const float *in, float *out, const float *kernel) {
  for (int y = K / 2; y < h - K / 2; y++)
    for (int x = K / 2; x < w - K / 2; x++) {
      float s = 0.0f;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
          s += kernel[i * K + j] * in[(y + i - K / 2) * w + (x + j - K / 2)];
      out[y * w + x] = s;
    }
}
