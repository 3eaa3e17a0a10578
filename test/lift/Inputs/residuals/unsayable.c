/* Numbers that are no `reduce`: each is left out, and said to be. */
void mixed(int n, int steps, double *u, double *v, double *both, double *later, double *chosen,
           double *begun) {
  double two = 0, all = 0, some = 0, far = 3;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < n - 1; i++) {
      two += v[i];
      all += v[i];
    }
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i];
  }
  for (int i = 1; i < n - 1; i++)
    two += u[i];
  for (int i = 1; i < n - 1; i++)
    if (u[i] > 0.5)
      some += u[i];
  for (int i = 1; i < n - 1; i++)
    far += u[i];
  *both = two;
  *later = all;
  *chosen = some;
  *begun = far;
}
