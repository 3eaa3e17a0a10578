// Memory without a type that is handed on to a function which knows it.
static void shifted(void *from, void *to, int n, int m) {
  double(*u)[m] = (double(*)[m])from;
  double(*v)[m] = (double(*)[m])to;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      v[i][j] = u[i][j - 1] + u[i + 1][j];
}
// EQUAL
void handed_on(void *u, void *v, int n, int m) {
  shifted(u, v, n, m);
  shifted(v, u, n, m);
}
