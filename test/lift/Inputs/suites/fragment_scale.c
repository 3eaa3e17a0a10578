double a[N], b[N], s;
for (int i = 0; i < N; ++i)
  b[i] = s * a[i];
