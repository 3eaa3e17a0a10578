/* Arrays that the number of the turn chooses. */
#define N 40

/* EQUAL: rows. */
void rows_by_turn(int steps, double a[N][N], double b[N][N]) {
  for (int t = 0; t < steps; t++) {
    double(*now)[N] = t % 2 ? b : a;
    double(*next)[N] = t % 2 ? a : b;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
  }
}

/* EQUAL: by `if`, in turns that count from 1. */
void if_by_turn(int steps, int n, float *a, float *b) {
  for (int t = 1; t <= steps; t++) {
    float *now, *next;
    if (t & 1) {
      now = a;
      next = b;
    } else {
      now = b;
      next = a;
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i * n + j] = 0.5f * (now[(i - 1) * n + j] + now[(i + 1) * n + j]);
  }
}

/* EQUAL: three levels in a table of pointers. */
void table_by_turn(int steps, int n, double *a, double *b, double *c) {
  double *u[3] = {a, b, c};
  for (int t = 1; t < steps; t++) {
    const double *old = u[(t - 1) % 3], *now = u[t % 3];
    for (int i = 1; i < n - 1; i++)
      u[(t + 1) % 3][i] = 2 * now[i] - old[i] + 0.1 * (now[i - 1] - 2 * now[i] + now[i + 1]);
  }
}

static void smooth(int n, const double *now, double *next) {
  for (int i = 1; i < n - 1; i++)
    next[i] = 0.5 * (now[i - 1] + now[i + 1]);
  next[0] = now[0];
  next[n - 1] = 1;
}

/* EQUAL: arguments of a call, by a flag that each turn turns over. */
void call_by_turn(int steps, int n, double *a, double *b) {
  int isOdd = 0;
  for (int t = 0; t < steps; t++) {
    smooth(n, isOdd ? b : a, isOdd == 0 ? b : a);
    isOdd = !isOdd;
  }
}

/* EQUAL: a truth value, and the choice where it is used. */
void truth_by_turn(int steps, int n, double *a, double *b) {
  for (int t = 3; t < steps; t++) {
    const _Bool isEven = t % 2 == 0;
    for (int i = 1; i < n - 1; i++)
      (isEven ? b : a)[i] = 0.5 * ((isEven ? a : b)[i - 1] + (t % 2 != 1 ? a : b)[i + 1]);
  }
}

/* EQUAL: parts of one array. */
void parts_by_turn(int steps, int n, double *both) {
  for (int t = 0; t < steps; t++) {
    double *now = t % 2 ? both + n * n : both, *next = t % 2 ? both : both + n * n;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i * n + j] = 0.5 * (now[i * n + j - 1] + now[i * n + j + 1]);
  }
}
