void conv(int h, int w, float in[h][w], float out[h][w], float kernel[5][5]) {
  for (int y = 2; y < h - 2; y++)
    for (int x = 2; x < w - 2; x++) {
      out[y][x] = 0;
      for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++)
          out[y][x] += kernel[i + 2][j + 2] * in[y + i][x + j];
    }
}
