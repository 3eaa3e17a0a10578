/* Global pointers that change places in the function that is called. */
static double *u, *v;
static int n;
static void step(double c) {
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1]);
  double *last = u;
  u = v;
  v = last;
}
void run(int steps, double c) {
  for (int s = 0; s < steps; s++)
    step(c);
}
