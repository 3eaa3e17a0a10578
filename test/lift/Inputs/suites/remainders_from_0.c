/* Positions that come in at the other end, however far below 0 they were. */
static int within(int i, int n) { return (i % n + n) % n; }

// EQUAL
void of_params(int n, int m, double *a, const double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = b[within(i - 1, n) * m + j] + b[i * m + within(j + 1, m)];
}

// EQUAL
void of_numbers(double a[40][64], const double b[40][64]) {
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 64; j++)
      a[i][j] = b[((i - 1) % 40 + 40) % 40][j] + b[i][((j + 1) % 64 + 64) % 64];
}

// EQUAL
void of_bits(double a[64], const double b[64]) {
  for (int i = 0; i < 64; i++)
    a[i] = b[(i + 1) & 63] + b[(i - 2) & 63];
}
