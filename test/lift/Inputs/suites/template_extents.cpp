template <int NX, int NY> static void step(double (&a)[NX][NY], double (&b)[NX][NY]) {
  for (int i = 1; i < NX - 1; i++)
    for (int j = 1; j < NY - 1; j++)
      b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}
double A[24][26], B[24][26];
void go(int T) {
  for (int t = 0; t < T; t++) {
    step<24, 26>(A, B);
    step(B, A);
  }
}
