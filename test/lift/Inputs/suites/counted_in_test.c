/* Loops that count in their tests, up and down, and one that counts in its body. */

// EQUAL
void unsigned_down(unsigned long n, double *a, const double *b) {
  for (unsigned long i = n; i-- > 0;)
    a[i] = 2 * b[i];
}

// EQUAL
void to_nothing(int n, double *a, const double *b) {
  while (n--)
    a[n] = 2 * b[n];
}

// EQUAL
void before_each(int n, double *a, const double *b) {
  int i = 0;
  while (++i < n - 1)
    a[i] = b[i - 1] + b[i + 1];
}

// EQUAL
void behind_each(int n, double *a, const double *b) {
  int i = 1;
  do
    a[i] = b[i - 1] + b[i + 1];
  while (++i < n - 1);
}

// EQUAL
void in_body(int n, double *a, const double *b) {
  for (int i = 1; i < n - 1;) {
    a[i] = b[i - 1] + b[i + 1];
    i++;
  }
}

// EQUAL
void steps_left(int n, int steps, double *a, double *b) {
  while (steps-- > 0) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    double *last = a;
    a = b;
    b = last;
  }
}
