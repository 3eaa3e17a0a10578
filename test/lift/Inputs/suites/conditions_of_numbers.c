/* numbers as conditions: of a mask, and of the run */
#include <stdbool.h>
void masked(int n, const float *mask, float *a, float *b, int flag, bool on, double w) {
  for (int i = 1; i < n - 1; i++) {
    if (!mask[i])
      continue;
    if (flag && on)
      b[i] = a[i - 1];
    else
      b[i] = w ? a[i + 1] : a[i];
  }
}
