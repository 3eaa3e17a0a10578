/* How many points there are is said by who compiles it. */
void mean(double u[POINTS], const double v[POINTS]) {
  for (int i = 1; i < POINTS - 1; i++)
    u[i] = 0.5 * (v[i - 1] + v[i + 1]);
}
