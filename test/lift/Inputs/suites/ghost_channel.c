/* swapped pointers, walls: odd mirror below, a number above, periodic along x, radius 2 flat */
void channel(int nx, int ny, int steps, float wall, float *u, float *v) {
  const int w = nx + 4;
  for (int s = 0; s < steps; s++) {
    for (int j = 2; j < ny + 2; j++) {
      for (int g = 0; g < 2; g++) {
        u[j * w + g] = u[j * w + nx + g];
        u[j * w + nx + 2 + g] = u[j * w + 2 + g];
      }
    }
    for (int i = 0; i < w; i++) {
      u[1 * w + i] = -u[2 * w + i];
      u[0 * w + i] = -u[3 * w + i];
      u[(ny + 2) * w + i] = wall;
      u[(ny + 3) * w + i] = wall;
    }
    for (int j = 2; j < ny + 2; j++)
      for (int i = 2; i < nx + 2; i++)
        v[j * w + i] = 0.2f * (u[(j - 2) * w + i] + u[(j + 2) * w + i] + u[j * w + i - 2] +
                               u[j * w + i + 1] + u[(j - 1) * w + i - 1]);
    float *last = u;
    u = v;
    v = last;
  }
}
