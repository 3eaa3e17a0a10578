/* What is set goes on to be set elsewhere, through a narrower type. */
void both(int n, double *wide, float *narrow, const double *b) {
  for (int i = 1; i < n - 1; i++)
    wide[i] = narrow[i] = b[i - 1] + b[i + 1];
}
