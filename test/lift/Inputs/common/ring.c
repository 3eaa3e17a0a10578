/* Three levels whose numbers are handed on. */
static double u[3][100];

void ring(int steps) {
  int before = 0, now = 1, next = 2;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < 99; i++)
      u[next][i] = u[before][i] + u[now][i + 1] - u[now][i - 1];
    int spare = before;
    before = now;
    now = next;
    next = spare;
  }
}
