/* Cells that hold a whole number each. */
#include <stdbool.h>

#define TALL 22
#define BROAD 17
unsigned char old_field[TALL][BROAD], new_field[TALL][BROAD];

/* EQUAL: The neighbours are looked for where they are, round the ends. */
void round_the_ends(void) {
  for (int y = 0; y < TALL; y++)
    for (int x = 0; x < BROAD; x++) {
      int living = 0;
      for (int row = y - 1; row <= y + 1; row++)
        for (int column = x - 1; column <= x + 1; column++)
          if (old_field[(row + TALL) % TALL][(column + BROAD) % BROAD])
            living++;
      if (old_field[y][x])
        living--;
      new_field[y][x] = living == 3 || (living == 2 && old_field[y][x]);
    }
  for (int y = 0; y < TALL; y++)
    for (int x = 0; x < BROAD; x++)
      old_field[y][x] = new_field[y][x];
}

static int living_around(const int *cells, int columns, int y, int x) {
  int count = 0;
  for (int down = -1; down <= 1; down++)
    for (int right = -1; right <= 1; right++) {
      if (down == 0 && right == 0)
        continue;
      count += cells[(y + down) * columns + x + right];
    }
  return count;
}

static int lives(const int *cells, int columns, int y, int x) {
  const int count = living_around(cells, columns, y, x);
  if (cells[y * columns + x] && (count == 2 || count == 3))
    return 1;
  if (!cells[y * columns + x] && count == 3)
    return 1;
  return 0;
}

// EQUAL
void generations(int *cells, int *later, int rows, int columns, int count) {
  for (int g = 0; g < count; g++) {
    for (int y = 1; y < rows - 1; y++)
      for (int x = 1; x < columns - 1; x++)
        later[y * columns + x] = lives(cells, columns, y, x);
    int *swapped = cells;
    cells = later;
    later = swapped;
  }
}

// EQUAL
void rows_of_bytes(char **board, char **result, int rows, int columns) {
  for (int y = 1; y < rows - 1; y++)
    for (int x = 1; x < columns - 1; x++) {
      int sum = board[y - 1][x] + board[y + 1][x] + board[y][x - 1] + board[y][x + 1];
      if (sum > 2)
        result[y][x] = 1;
      else if (sum < 1)
        result[y][x] = 0;
      else
        result[y][x] = board[y][x];
    }
}

enum state { SOIL, TREE, FLAME, ASH };
// EQUAL
void fire(enum state woods[30][20], enum state later[30][20]) {
  for (int y = 1; y < 29; y++)
    for (int x = 1; x < 19; x++)
      switch (woods[y][x]) {
      case FLAME:
        later[y][x] = ASH;
        break;
      case TREE:
        if (woods[y - 1][x] == FLAME || woods[y + 1][x] == FLAME || woods[y][x - 1] == FLAME ||
            woods[y][x + 1] == FLAME)
          later[y][x] = FLAME;
        else
          later[y][x] = TREE;
        break;
      default:
        later[y][x] = woods[y][x];
      }
}

/* EQUAL: Quotients and remainders of numbers below 0, too. */
void grains(const int *heap, int *next, int n) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      int height = heap[i * n + j] % 4;
      height += heap[(i - 1) * n + j] / 4;
      height += heap[(i + 1) * n + j] / 4 - heap[i * n + j - 1] / -3;
      height -= (heap[i * n + j + 1] - 7) % -5;
      next[i * n + j] = height;
    }
}

/* EQUAL: A rule of three cells that are true or not. */
void rule(const bool *cells, bool *next, int n) {
  for (int i = 0; i < n; i++) {
    bool left = cells[(i + n - 1) % n], right = cells[(i + 1) % n];
    next[i] = left ^ (cells[i] | right);
  }
}

/* EQUAL: Counted where it stands. */
void counted_in_array(const short *seen, int *times, int n) {
  for (int i = 1; i < n - 1; i++) {
    times[i] = 0;
    times[i] += seen[i - 1] > 0;
    if (seen[i] == 1)
      times[i]++;
    times[i] -= seen[i + 1];
  }
}

// EQUAL: how many there are nobody at a point asks
int counted_meanwhile(const int *cells, int *next, int n) {
  int living = 0;
  for (int i = 1; i < n; i++) {
    next[i] = cells[i] > cells[i - 1];
    living += next[i];
  }
  return living;
}
