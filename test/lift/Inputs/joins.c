/* Points that a step sets twice, where the caller says how far the loops go. */
#define POINTS 20

void added(int n, double r[POINTS], const double g[POINTS]) {
  for (int i = 0; i < n; i++)
    r[i] = 0;
  for (int i = 1; i < n - 1; i++)
    r[i] = r[i] + g[i + 1] - g[i - 1];
}

void added_twice(int n, double r[POINTS], const double g[POINTS]) {
  for (int i = 1; i < n - 1; i++)
    r[i] = r[i] + g[i + 1];
  for (int i = 2; i < n - 2; i++)
    r[i] = r[i] + g[i - 2];
}

double u[POINTS][30], r[POINTS][30];
void column_beside(int nj, int ni, double d) {
  for (int j = 0; j < nj + 6; j++)
    for (int i = 0; i < ni + 6; i++)
      r[j][i] = 0;
  for (int j = 1; j < nj + 5; j++)
    for (int i = 1; i < ni + 5; i++)
      r[j][i] = r[j][i] + u[j][i + 1] - u[j][i - 1];
  for (int j = 1; j < nj + 5; j++) {
    int i = 1;
    r[j][i] = r[j][i] - d * (5 * u[j][i] - u[j][i + 1]);
  }
  for (int j = 1; j < nj + 5; j++)
    for (int i = 2; i < ni + 4; i++)
      r[j][i] = r[j][i] - d * (u[j][i - 2] + u[j][i + 2]);
}

void in_one_turn(int n, double r[POINTS], const double g[POINTS]) {
  for (int i = 0; i < n; i++) {
    r[i] = 0;
    if (i > 0 && i < n - 1)
      r[i] = g[i + 1] - g[i - 1];
  }
}

/* What the second loop reads is made before the first. */
void exclusive(int n, const int *wall, double *u, double *v) {
  double w[n];
  for (int i = 1; i < n - 1; i++)
    w[i] = u[i - 1] + u[i + 1];
  for (int i = 1; i < n - 1; i++)
    if (wall[i])
      v[i] = w[i];
  for (int i = 1; i < n - 1; i++)
    if (!wall[i])
      v[i] = 2 * w[i];
}
