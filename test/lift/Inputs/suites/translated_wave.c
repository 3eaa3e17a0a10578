int step_(int *n, float *p, float *q, float *c) {
  int p_dim1 = *n, p_offset = 1 + p_dim1;
  p -= p_offset;
  q -= p_offset;
  c -= p_offset;
  for (int j = 3; j <= *n - 2; ++j)
    for (int i = 3; i <= *n - 2; ++i)
      q[i + j * p_dim1] = p[i + j * p_dim1] * 2.f - q[i + j * p_dim1] +
                          c[i + j * p_dim1] * (p[i - 2 + j * p_dim1] + p[i + 2 + j * p_dim1] +
                                               p[i + (j - 2) * p_dim1] + p[i + (j + 2) * p_dim1] -
                                               p[i + j * p_dim1] * 4.f);
  return 0;
}
