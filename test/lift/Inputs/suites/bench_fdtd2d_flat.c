#define tmax 12
#define NX 30
#define NY 34
void waves_flat(float *edge, float *ex, float *ey, float *hz) {
  int t, i, j;
  for (t = 0; t < tmax; t++) {
    for (j = 0; j < NY; j++)
      ey[0 * NY + j] = edge[t];
    for (i = 1; i < NX; i++)
      for (j = 0; j < NY; j++)
        ey[i * NY + j] = ey[i * NY + j] - 0.5 * (hz[i * NY + j] - hz[(i - 1) * NY + j]);
    for (i = 0; i < NX; i++)
      for (j = 1; j < NY; j++)
        ex[i * NY + j] = ex[i * NY + j] - 0.5 * (hz[i * NY + j] - hz[i * NY + (j - 1)]);
    for (i = 0; i < NX - 1; i++)
      for (j = 0; j < NY - 1; j++)
        hz[i * NY + j] = hz[i * NY + j] - 0.7 * (ex[i * NY + (j + 1)] - ex[i * NY + j] +
                                                 ey[(i + 1) * NY + j] - ey[i * NY + j]);
  }
}
