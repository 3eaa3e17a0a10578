/* A program whose arrays start with lists of numbers. */
int main(void) {
  double e[100] = {0.}, h[100] = {0.};
  for (int t = 0; t < 8; t++) {
    for (int i = 0; i < 99; i++)
      h[i] = h[i] + (e[i + 1] - e[i]) / 377;
    for (int i = 1; i < 100; i++)
      e[i] = e[i] + (h[i] - h[i - 1]) * 377;
  }
}
