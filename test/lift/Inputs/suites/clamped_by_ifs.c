/* A neighbourhood that is kept within the picture by one `if` after the other. */
void clamped_by_ifs(int height, int width, const float *from, float *to, const float weights[9]) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float sum = 0;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
          int row = y + 2 * j, column = x + i;
          if (row >= height)
            row = height - 1;
          if (row < 0)
            row = 0;
          if (column < 0)
            column = 0;
          if (column > width - 1)
            column = width - 1;
          sum += weights[(j + 1) * 3 + i + 1] * from[row * width + column];
        }
      to[y * width + x] = sum;
    }
}
