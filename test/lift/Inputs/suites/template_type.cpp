template <class T> void jac(T *a, T *b, int n, int m, int steps) {
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i * m + j] = T(0.25) * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +
                                  a[i * m + j + 1]);
    T *c = a;
    a = b;
    b = c;
  }
}
template void jac<float>(float *, float *, int, int, int);
