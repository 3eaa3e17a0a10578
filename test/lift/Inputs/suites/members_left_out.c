/* Members of a struct of which one is never named */
typedef struct {
  float speeds[3];
} cell;

// EQUAL
void bounce(int ny, int nx, const cell *restrict from, cell *restrict to, const int *wall) {
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++)
      if (wall[i + j * nx]) {
        to[i + j * nx].speeds[1] = from[i + j * nx].speeds[2];
        to[i + j * nx].speeds[2] = from[i + j * nx].speeds[1];
      }
}
