/* A number that says when the next line is printed is no part of a step. */
#include <stdio.h>
static double u[40], w[40];
int main(void) {
  int turns = 0, next = 1;
  while (turns < 20) {
    for (int i = 0; i < 40; i++)
      u[i] = w[i];
    for (int i = 1; i < 39; i++)
      w[i] = 0.5 * (u[i - 1] + u[i + 1]);
    turns++;
    if (turns == next) {
      printf("%d\n", turns);
      next = 2 * next;
    }
  }
}
