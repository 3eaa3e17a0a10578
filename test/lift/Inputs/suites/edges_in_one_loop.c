/* One loop goes along all four edges, in rows of a length that only the macro says. */
#define AT(column, row) ((column) + (inner + 2) * (row))
void edges_in_one_loop(int inner, int walls, float *speed, const float *force) {
  for (int row = 1; row <= inner; row++)
    for (int column = 1; column <= inner; column++)
      speed[AT(column, row)] =
          0.5f * __builtin_fabsf(force[AT(column + 1, row)] - force[AT(column, row - 1)]);
  for (int k = 1; k <= inner; k++) {
    speed[AT(0, k)] = walls == 1 ? -speed[AT(1, k)] : speed[AT(1, k)];
    speed[AT(inner + 1, k)] = walls == 1 ? -speed[AT(inner, k)] : speed[AT(inner, k)];
    speed[AT(k, 0)] = walls == 2 ? -speed[AT(k, 1)] : speed[AT(k, 1)];
    speed[AT(k, inner + 1)] = walls == 2 ? -speed[AT(k, inner)] : speed[AT(k, inner)];
  }
  speed[AT(0, 0)] = 0.5f * (speed[AT(1, 0)] + speed[AT(0, 1)]);
  speed[AT(0, inner + 1)] = 0.5f * (speed[AT(1, inner + 1)] + speed[AT(0, inner)]);
  speed[AT(inner + 1, 0)] = 0.5f * (speed[AT(inner, 0)] + speed[AT(inner + 1, 1)]);
  speed[AT(inner + 1, inner + 1)] =
      0.5f * (speed[AT(inner, inner + 1)] + speed[AT(inner + 1, inner)]);
}
