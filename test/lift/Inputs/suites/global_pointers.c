/* Grids that globals point to, which somebody else has to take. */
double *heat_now, *heat_next;
void global_pointers(int ny, int nx) {
  for (int y = 1; y < ny - 1; y++)
    for (int x = 1; x < nx - 1; x++)
      heat_next[y * nx + x] = 0.25 * (heat_now[y * nx + x - 1] + heat_now[y * nx + x + 1] +
                                      heat_now[(y - 1) * nx + x] + heat_now[(y + 1) * nx + x]);
}
