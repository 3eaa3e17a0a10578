/* A wave whose three levels turn, with bounds for the points and for the steps. */
int forward(const int x_size, const int y_size, float (*restrict u)[x_size][y_size],
            float (*restrict m)[y_size], const float dt, const float h, const int time_m,
            const int time_M) {
  float r0 = 1.0F / (dt * dt);
  float r1 = 1.0F / (h * h);
  for (int time = time_m, t0 = (time) % (3), t1 = (time + 2) % (3), t2 = (time + 1) % (3);
       time <= time_M; time += 1, t0 = (time) % (3), t1 = (time + 2) % (3), t2 = (time + 1) % (3)) {
    for (int x = 1; x < x_size - 1; x += 1) {
#pragma omp simd aligned(m, u : 32)
      for (int y = 1; y < y_size - 1; y += 1)
        u[t2][x][y] = (r1 * (u[t0][x - 1][y] + u[t0][x + 1][y] + u[t0][x][y - 1] + u[t0][x][y + 1] -
                             4.0F * u[t0][x][y]) +
                       m[x][y] * (2.0F * r0 * u[t0][x][y] - r0 * u[t1][x][y])) /
                      (r0 * m[x][y]);
    }
  }
  return 0;
}
