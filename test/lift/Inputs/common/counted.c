/* Steps that end when nothing changes any more, or after so many. */
void flood(int *cells, int *next, int n) {
  int step = 1, changes = 1;
  while (changes != 0 && step <= 100) {
    changes = 0;
    for (int i = 1; i < n - 1; i++) {
      next[i] = cells[i - 1] > cells[i] ? cells[i - 1] : cells[i];
      if (next[i] != cells[i])
        ++changes;
    }
    for (int i = 1; i < n - 1; i++)
      cells[i] = next[i];
    step++;
  }
}

void flood_downward(int *cells, int *next, int n, int steps) {
  int changes = n;
  for (int t = steps; t > 0 && changes > 0; t--) {
    changes = 0;
    for (int i = 1; i < n - 1; i++) {
      next[i] = cells[i + 1] > cells[i] ? cells[i + 1] : cells[i];
      changes += next[i] != cells[i];
    }
    for (int i = 1; i < n - 1; i++)
      cells[i] = next[i];
  }
}
