/* pixels in rows, copied back whole */
struct pixel {
  float r, g, b;
};
void blur(int w, int h, struct pixel img[h][w], struct pixel out[h][w], int times) {
  for (int t = 0; t < times; t++) {
    for (int y = 1; y < h - 1; y++)
      for (int x = 1; x < w - 1; x++) {
        struct pixel left = img[y][x - 1], right = img[y][x + 1];
        out[y][x].r = 0.5f * (left.r + right.r);
        out[y][x].g = 0.5f * (left.g + right.g);
        out[y][x].b = 0.5f * (left.b + img[y - 1][x].r);
      }
    for (int y = 1; y < h - 1; y++)
      for (int x = 1; x < w - 1; x++)
        img[y][x] = out[y][x];
  }
}
