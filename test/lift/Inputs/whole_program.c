#include <stdio.h>
void generations(int *cells, int *later, int rows, int columns, int count);

int main(void) {
  enum { ROWS = 12, COLUMNS = 30 };
  int cells[ROWS * COLUMNS], later[ROWS * COLUMNS];
  unsigned state = 1;
  for (int place = 0; place < ROWS * COLUMNS; place++) {
    state = state * 1103515245u + 12345u;
    cells[place] = later[place] = state >> 16 & 1;
  }
  generations(cells, later, ROWS, COLUMNS, 5);
  for (int place = 0; place < ROWS * COLUMNS; place++)
    printf("%c%s", later[place] ? '#' : '.', place % COLUMNS == COLUMNS - 1 ? "\n" : "");
  return 0;
}
