/* Two points beyond each end are mirror images: in a choice, and in a function. */
static int mirrored(int place, int n) {
  if (place < 0)
    return -1 - place;
  else if (place >= n)
    return 2 * n - 1 - place;
  else
    return place;
}
void mirrored_by_choice(int height, int width, const double *a, double *b) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      double sum = a[y * width + mirrored(x - 2, width)] - a[y * width + mirrored(x + 2, width)];
      for (int d = -2; d <= 2; d++) {
        int row = y + d;
        row = row < 0 ? -row : row >= height ? 2 * (height - 1) - row : row;
        sum += a[row * width + x];
      }
      b[y * width + x] = sum;
    }
}
