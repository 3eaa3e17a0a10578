static const double w[30] = {1, 2, 3, 4, 5.5};
void f(double u[30], double v[30]) {
  for (int i = 1; i < 29; i++)
    v[i] = w[i] * (u[i - 1] + u[i + 1]) + w[4];
}
