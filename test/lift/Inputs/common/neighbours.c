/* Neighbours that there are, found by tables of directions. */
#include <stdbool.h>

static const int down[4] = {-1, 0, 0, 1};
static const int across[4] = {0, -1, 1, 0};

void alive(bool **now, bool **next, int h, int w) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      int count = 0;
      for (int k = 0; k < 4; k++) {
        int a = i + down[k], b = j + across[k];
        if (a >= 0 && a < h && b >= 0 && b < w && now[a][b])
          count++;
      }
      next[i][j] = now[i][j] ? count == 2 : count > 2;
    }
}

void beyond(const double *u, double *v, int n) {
  for (int i = 0; i < n; i++)
    v[i] = i < 1 || u[i - 1] < 0.25 ? 1.0 : 0.0;
}
