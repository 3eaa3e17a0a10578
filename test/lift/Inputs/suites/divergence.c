#define IX(i, j) ((i) + (N + 2) * (j))
#define SWAP(x0, x)                                                                                \
  {                                                                                                \
    float *tmp = x0;                                                                               \
    x0 = x;                                                                                        \
    x = tmp;                                                                                       \
  }
void divergence(int N, float *u, float *v, float *p, float *div) {
  int i, j;
  float h = 1.0 / N;
  for (i = 1; i <= N; i++) {
    for (j = 1; j <= N; j++) {
      div[IX(i, j)] =
          -0.5 * h * (u[IX(i + 1, j)] - u[IX(i - 1, j)] + v[IX(i, j + 1)] - v[IX(i, j - 1)]);
      p[IX(i, j)] = 0;
    }
  }
}
