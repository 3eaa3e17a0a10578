/* The median of nine: a counter moves where it is used, and sorting stops halfway. */
void median_counted(const float *in, float *out, int height, int width) {
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      float v[9];
      int count = 0;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          v[count++] = in[(y + j) * width + x + i];
      for (int a = 0; a < 5; a++)
        for (int b = a + 1; b < 9; b++)
          if (v[b] < v[a]) {
            float smaller = v[b];
            v[b] = v[a];
            v[a] = smaller;
          }
      out[y * width + x] = v[4];
    }
}
