/* two passes with a local VLA */
void blur(int h, int w, float in[h][w], float out[h][w]) {
  float tmp[h][w];
  for (int y = 0; y < h; y++)
    for (int x = 1; x < w - 1; x++)
      tmp[y][x] = 0.25f * in[y][x - 1] + 0.5f * in[y][x] + 0.25f * in[y][x + 1];
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      out[y][x] = 0.25f * tmp[y - 1][x] + 0.5f * tmp[y][x] + 0.25f * tmp[y + 1][x];
}
