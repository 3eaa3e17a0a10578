/* Structs of numbers that functions take and return */
#include <math.h>

typedef struct {
  double h, q;
} state;

static state mean(state a, state b) {
  return (state){0.5 * (a.h + b.h), 0.5 * (a.q + b.q)};
}

static state flux(state s) {
  state f = {s.q, s.q * s.q / s.h + 4.9 * s.h * s.h};
  s.h = 0; // a copy
  return f;
}

static state limited(state s, double least) {
  if (s.h < least)
    return (state){least, 0};
  return s;
}

// EQUAL
void dam(int n, const state *now, state *next, double r) {
  for (int i = 1; i < n - 1; i++) {
    const state left = limited(now[i - 1], 0.1), right = limited(now[i + 1], 0.1);
    const state l = flux(left), k = flux(right);
    state made = mean(mean(left, right), mean(right, left));
    made.h -= r * (k.h - l.h) * left.h;
    made.q -= r * (k.q - l.q) * right.h;
    next[i] = limited(made, 0.1);
  }
}
