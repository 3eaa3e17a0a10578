/* Loops that are no stencil. What is said of each stands before it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

// REFUSED: the turn (i, j) reads what the turn (i-1, j) has just written to `a`: the order of the points matters (Gauss-Seidel, ADI, a recurrence)
void seidel(int n, int steps, double a[n][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]) / 5.0;
}

// REFUSED: the turn (i, j) reads what the turn (i, j+1) has just written to `a`: the order of the points matters (Gauss-Seidel, ADI, a recurrence)
void seidel_downward(int n, double a[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = n - 2; j >= 1; j--)
      a[i][j] = 0.5 * (a[i][j + 1] + a[i][j]);
}

// REFUSED: the turn (i, j) reads what the turn (i, j-1) has just written to `q`: the order of the points matters (Gauss-Seidel, ADI, a recurrence)
void column_solve(int n, double q[n][n], double u[n][n], double b) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      q[i][j] = (u[i][j] + b * q[i][j - 1]) / (2 + b);
}

// REFUSED: the turn (i, j) reads what the turn (i, j-1) has just written to `p`: the order of the points matters (Gauss-Seidel, ADI, a recurrence)
void alternating_directions(int n, double u[n][n], double v[n][n], double p[n][n], double q[n][n],
                            double a, double b) {
  for (int i = 1; i < n - 1; i++) {
    p[i][0] = 0;
    q[i][0] = v[0][i];
    for (int j = 1; j < n - 1; j++) {
      p[i][j] = a / (a * p[i][j - 1] + b);
      q[i][j] = (u[j][i - 1] + u[j][i] + u[j][i + 1] + a * q[i][j - 1]) / (a * p[i][j - 1] + b);
    }
    for (int j = n - 2; j >= 1; j--)
      v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
  }
}

// REFUSED: two arrays need each other's new values here, turn by turn: the order of the points matters
void entangled(int n, double a[n], double b[n]) {
  for (int i = 1; i < n; i++) {
    a[i] = b[i - 1] + 1;
    b[i] = a[i - 1] * 2;
  }
}

// REFUSED: `index[i]` is looked up in an array of whole numbers: which points are meant is known only during a run
void gather(int n, double a[n], double b[n], int index[n]) {
  for (int i = 0; i < n; i++)
    a[i] = b[index[i]];
}

// REFUSED: `seconds` is a grid of whole numbers of 64 bits, which no float or double holds all of
void stopwatch(int n, long seconds[n], double a[n]) {
  for (int i = 0; i < n; i++)
    a[i] = seconds[i];
}

// REFUSED: whole numbers of `long` that arrays hold may be too large here for a double
void products(int n, const int a[n], double b[n]) {
  for (int i = 0; i < n; i++)
    b[i] = (long)a[i] * a[i];
}

// REFUSED: `cell` is a whole number of data: which points are meant is known only during a run
void binned(int n, double rho[n], const int where[n], double f[n]) {
  for (int i = 0; i < n; i++) {
    int cell = where[i] + 1;
    f[i] = rho[cell];
  }
}

// REFUSED: `(int)x[i]` is made a whole number of data: which points are meant is known only during a run
void particles(int n, double rho[n], double x[n], double f[n]) {
  for (int i = 0; i < n; i++)
    f[i] = rho[(int)x[i]];
}

// REFUSED: `fine` is read at `2*i`, which is no fixed distance from the point
void coarsen(int n, double coarse[n], double fine[2 * n]) {
  for (int i = 1; i < n; i++)
    coarse[i] = 0.5 * fine[2 * i] + 0.25 * (fine[2 * i - 1] + fine[i]);
}

// REFUSED: the loop over `i` takes every 2th point
void red(int n, double a[n], double b[n]) {
  for (int i = 1; i < n - 1; i += 2)
    a[i] = b[i - 1] + b[i + 1];
}

// REFUSED: every other point of `u` is made here, from those between (red-black ordering)
void red_alone(int n, double *u) {
  for (int i = 1; i < n - 1; i += 2)
    u[i] = 0.5 * (u[i - 1] + u[i + 1]);
}

// REFUSED: points of `u` are set twice in a step
void colours_of_rows(int n, double u[n][n]) {
  for (int color = 0; color < 2; color++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if ((i + color) % 2 == 0)
          u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

// REFUSED: `(-j + i) % 2` stands in a formula
void below_zero(int n, double u[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if ((i - j) % 2 == 1)
        u[i][j] = 0;
}

// REFUSED: `1 - (i - j) % 2` is no comparison
void below_zero_turned(int n, double u[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (1 - (i - j) % 2)
        u[i][j] = 0;
}

// REFUSED: `p` points to another part of an array after each turn
void packed(int n, double u[n][n], double half[n][n]) {
  for (int i = 0; i < n; i++) {
    double *p = half[i];
    for (int j = 1 + i % 2; j < n; j += 2)
      u[i][j] = *p++;
  }
}

// REFUSED: the bounds of the loop over `j` depend on another loop: its points are no box
void triangle(int n, double a[n][n], double b[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i][j] = b[i][j] + 1;
}

// REFUSED: `b` is read with its axes in another order than the array that is written
void transpose(int n, double a[n][n], double b[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b[j][i];
}

double unseen(double);
// REFUSED: `unseen` is not seen through: its body is not in this file
void calls(int n, double a[n], double b[n]) {
  for (int i = 0; i < n; i++)
    a[i] = unseen(b[i]);
}

// REFUSED: `cells[i - 1] ^ cells[i + 1]` is of the bits of numbers that arrays hold
void life(int n, int cells[n], int next[n]) {
  for (int i = 1; i < n - 1; i++)
    next[i] = cells[i - 1] ^ cells[i + 1];
}

// REFUSED: `goto`: the order of what is done here is not followed
void jump(int n, double a[n]) {
  int i = 0;
again:
  a[i] = 0;
  if (++i < n)
    goto again;
  for (i = 0; i < n; i++)
    a[i] = 1;
}

// REFUSED: this loop is not of the form `for (i = first; i < end; i++)`
void searched(int n, double a[n], const double b[n]) {
  for (int s = 0; s < n; s++) {
    int i = 0;
    while (b[i] > 0)
      a[i] = b[i++];
  }
}

// REFUSED: `old` does not change between 0 and 1 in each turn
void stays(int n, int steps, double a[2][n]) {
  int old = 0;
  for (int t = 0; t < steps; t++) {
    int now = 1 - old;
    for (int i = 1; i < n - 1; i++)
      a[now][i] = a[old][i - 1] + a[old][i + 1];
    old = 0;
  }
}

// REFUSED: a loop is left or a point skipped where the data says so: a stencil updates all points of a box
void leave(int n, double a[n], double b[n]) {
  for (int i = 0; i < n; i++) {
    if (b[i] < 0)
      break;
    a[i] = b[i];
  }
}

// REFUSED: `total` gathers a value over points, or is made of one that does
void normalise(int n, double a[n], double b[n]) {
  double total = 0;
  for (int i = 0; i < n; i++)
    total += b[i];
  for (int i = 0; i < n; i++)
    a[i] = b[i] / total;
}

// REFUSED: `carried` carries a value from one turn to the next, or has none yet
void prefix(int n, double a[n], double b[n]) {
  double carried = 0;
  for (int i = 0; i < n; i++) {
    a[i] = carried;
    carried = b[i];
  }
}

// REFUSED: points of `a` are set twice in a step
void twice_from_beside(int n, double a[n], double b[n]) {
  for (int i = 0; i < n; i++)
    a[i] = b[i];
  for (int i = 1; i < n; i++)
    a[i] = a[i] + 2 * a[i - 1];
}

// REFUSED: points beyond the end of `j`, which has m points, are read or written here
void beyond(int n, int m, double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = b[i * m + j + 1];
}

// REFUSED: this loop is not of the form `for (i = first; i < end; i++)`
void doubling(int n, double a[n], double b[n]) {
  for (int i = 1; i < n; i *= 2)
    a[i] = b[i];
}

// REFUSED: no array is written: there is no stencil here
double norm(int n, double a[n]) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i];
  return sum;
}

// REFUSED: no array is written: there is no stencil here
void nothing(int n, double a[n]) {
  for (int i = 0; i < n; i++)
    a[i];
}

// REFUSED: every turn of the loop over `k` writes the same points
void product(int n, double c[n][n], double a[n][n], double b[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] = c[i][j] + a[i][k] * b[k][j];
}

// REFUSED: an array is set outside of the loop over time, which is `t`
void starts(int n, int steps, double a[n], double b[n]) {
  for (int i = 0; i < n; i++)
    a[i] = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i - 1] + a[i + 1];
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
}

// REFUSED: `long double` is no number of the language
void wide(int n, long double *a, long double *b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}

// REFUSED: `b` has m points along `i`, other arrays n
void staggered(int n, int m, double a[n], double b[m]) {
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}

// REFUSED: this loop is not of the form `for (i = first; i < end; i++)`
void circular(int n, double a[n], double b[n]) {
  for (int i = 0; i < i - 1; i++)
    a[i] = b[i];
}

// REFUSED: `a` is read at a time level that no step makes
void levels(int n, int steps, double a[2][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = a[t % 2][i - 1] + a[n % 2][i + 1];
}

// REFUSED: `c` is read at a time level that no step makes
void exchanged(int n, int steps, double *a, double *b, double *c, double *d) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i] + c[i];
    double *other = c;
    c = d;
    d = other;
  }
}

// REFUSED: `(i - 1)` is unsigned and may fall below 0
void wraps(unsigned n, double *a, const double *b) {
  for (unsigned i = 0; i < n; i++)
    a[i] = b[i] * (i - 1);
}

// REFUSED: `b` is read at `(i) % 2`, which is no fixed distance from the point
void striped(int n, double a[n], const double *b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i % 2];
}

// REFUSED: `b` is read at `i < 5 ? i : 5`, which is no fixed distance from the point
void saturated(int n, double a[n], const double b[n]) {
  for (int i = 0; i < n; i++)
    a[i] = b[i < 5 ? i : 5];
}

// REFUSED: what is read of `b` beyond the start of `i` is not the same everywhere
void differing(int n, double a[n], const double b[n]) {
  for (int i = 0; i < n; i++)
    a[i] = b[i > 0 ? i - 1 : 0] + b[i > 0 ? i - 1 : n - 1];
}

// REFUSED: `b` is read at `(i - 1) % n`, which is no fixed distance from the point
void negative(int n, double a[n], const double b[n]) {
  for (int i = 0; i < n; i++)
    a[i] = b[(i - 1) % n];
}

// REFUSED: `b` is read at `i < 3 ? i : i - 2`, which is no fixed distance from the point
void nearer(int n, double a[n], const double b[n]) {
  for (int i = 0; i < n; i++)
    a[i] = b[i < 3 ? i : i - 2];
}

// REFUSED: points beyond the start of `i`, which has n points, are read or written here
void mirrored(int n, double a[n], const double b[n]) {
  for (int i = 0; i < n; i++)
    a[i] = b[i == 0 ? n - 1 - i : i - 2];
}

// REFUSED: points beyond the start of `i`, which has n points, are read or written here
void within(int n, double a[n], const double b[n]) {
  for (int i = 1; i < n - 1; i++)
    a[i] = i > 1 ? b[i - 1] : b[i - 2];
}

// REFUSED: along `i` the points from 0 to -1 are made: that is no fixed distance from an end of the -1 points there
void endless(double *a, const double *b) {
  for (unsigned long i = 0; i < 0ul - 1; i++)
    a[i] = b[i];
}

// REFUSED: a part of `b` is copied
void halves(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    a[i] = 2 * b[i];
  memcpy(b + 4, a, sizeof(double) * 4);
}

// REFUSED: the bounds of the loop over `i` depend on another loop: its points are no box
void skewed(int n, double a[n], double b[n]) {
  for (int ii = 0; ii < n; ii += 8)
    for (int i = ii; i < ii + 9; i++)
      a[i] = b[i];
}

// REFUSED: `a` is read here partly before and partly after it is overwritten
void blocked_in_place(int n, double a[n][n]) {
  for (int ii = 1; ii < n - 1; ii += 8)
    for (int jj = 1; jj < n - 1; jj += 8)
      for (int i = ii; i < (ii + 8 < n - 1 ? ii + 8 : n - 1); i++)
        for (int j = jj; j < (jj + 8 < n - 1 ? jj + 8 : n - 1); j++)
          a[i][j] = a[i + 1][j - 1];
}

// REFUSED: the loop over `i` takes every 3th point
void unrolled_with_holes(double a[67], double b[67]) {
  for (int i = 1; i < 66; i += 3) {
    a[i] = b[i - 1] + b[i + 1];
    a[i + 1] = b[i] + b[i + 2];
  }
}

// REFUSED: the loop over `i` takes every 2th point
void unrolled_in_waves(double a[66], double b[66], double c[66]) {
  for (int i = 1; i < 65; i += 2) {
    a[i] = b[i];
    a[i + 1] = b[i + 1];
    c[i] = a[i + 2];
    c[i + 1] = a[i + 3];
  }
}

// REFUSED: `v` is written at `(i + 1) % n`, which is no loop variable and a fixed distance
void handed_on_in_part(int n, const double *u, double *v) {
  for (int i = 1; i < n; i++)
    v[(i + 1) % n] = u[i];
}

// REFUSED: `v` is written at `(i + 1) % n`, which is no loop variable and a fixed distance
void handed_on_and_set(int n, const double *u, double *v) {
  for (int i = 0; i < n; i++) {
    v[(i + 1) % n] = u[i];
    v[i] = 2 * u[i];
  }
}

// REFUSED: the loop over `i` takes every 2th point
void unrolled_but_clamped(double a[66], double b[66]) {
  for (int i = 0; i < 66; i += 2) {
    a[i] = b[i > 0 ? i - 1 : 0];
    a[i + 1] = b[i > 0 ? i - 1 : 0];
  }
}

// REFUSED: every turn of the loop over `i` writes the same points
void only_local_left(int n, const double *u) {
  double a[3], b[9];
  for (int i = 1; i < n - 1; i++) {
    a[0] = u[i - 1];
    a[1] = u[i + 1];
    a[0] = a[0] / a[1];
    b[i * n] = a[0];
  }
}

// REFUSED: along `i` points 3000000 from an end are made: 1000000 are the most
void far_from_the_end(int n, double a[n], double b[n]) {
  for (int i = 3000000; i < n; i++)
    b[i] = 0.5 * a[i];
}

// REFUSED: `a` is named here, and elsewhere chosen by the number of the turn: which time level it holds changes from turn to turn
void named_and_chosen(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    const double *now = t % 2 ? b : a;
    double *next = t % 2 ? a : b;
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.5 * (now[i - 1] + a[i + 1]);
  }
}

// REFUSED: which array is meant depends on `k`, which is not whether the turn is even
void chosen_by_caller(int n, double *a, double *b, int k) {
  const double *now = k ? b : a;
  double *next = k ? a : b;
  for (int i = 1; i < n - 1; i++)
    next[i] = 0.5 * (now[i - 1] + now[i + 1]);
}

// REFUSED: which of `a` and `b` is meant hangs on more than the number of the turn
void chosen_for_one_step(int n, int t, double *a, double *b) {
  const double *now = t % 2 ? b : a;
  double *next = t % 2 ? a : b;
  for (int i = 1; i < n - 1; i++)
    next[i] = 0.5 * (now[i - 1] + now[i + 1]);
}

// REFUSED: which of `a` and `b` is meant in the first turn is known only during a run
void chosen_from_anywhere(int first, int last, int n, double *a, double *b) {
  for (int t = first; t < last; t++) {
    const double *now = t % 2 ? b : a;
    double *next = t % 2 ? a : b;
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.5 * (now[i - 1] + now[i + 1]);
  }
}

// REFUSED: which of `a` and `b` is meant hangs on a variable that does not count up by one
void chosen_every_second(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t += 2) {
    const double *now = t % 2 ? b : a;
    double *next = t % 2 ? a : b;
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.5 * (now[i - 1] + now[i + 1]);
  }
}

// REFUSED: which of `a` and `b` is meant takes turns in several ways
void chosen_unevenly(int steps, int n, double *a, double *b) {
  double *u[3] = {a, a, b};
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      u[(t + 1) % 3][i] = 0.5 * (u[t % 3][i - 1] + u[t % 3][i + 1]);
}

// REFUSED: `u` is a table of pointers that is not followed: only a list of arrays that nobody changes is
void table_changed(int steps, int n, double *a, double *b) {
  double *u[2] = {a, b};
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      u[1][i] = 0.5 * (u[0][i - 1] + u[0][i + 1]);
    double *last = u[0];
    u[0] = u[1];
    u[1] = last;
  }
}

// REFUSED: what is done in every other turn differs from what is done in the turns between
void every_other_turn(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    const double *now = t % 2 ? b : a;
    double *next = t % 2 ? a : b;
    for (int i = 1; i < n - 1; i++) {
      next[i] = 0.5 * (now[i - 1] + now[i + 1]);
      if (t % 2)
        next[i] = 3;
    }
  }
}

// REFUSED: which number of `w` is meant is not known
void weight_by_param(int n, int m, double a[n], double b[n]) {
  double w[2][2] = {{1, 2}, {3, 4}};
  for (int i = 0; i < n; i++)
    b[i] = w[1][m] * a[i];
}

// REFUSED: which number of `w` is meant is not known
void weight_beyond_row(int n, double a[n], double b[n]) {
  double w[2][2] = {{1, 2}, {3, 4}};
  for (int i = 0; i < n; i++)
    b[i] = w[0][2] * a[i];
}

// REFUSED: `u` is read at `n - 2` where `0` is written: that is no fixed distance
void ghosts_copied(int n, int steps, double c, double u[n], double old[n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      old[i] = u[i];
    for (int i = 1; i < n - 1; i++)
      u[i] = old[i] - c * (old[i] - old[i - 1]);
    u[0] = u[n - 2];
    u[n - 1] = u[1];
  }
}

// What is set anew in the turns that still read it cannot have an array of its own.
// REFUSED: points of `t` are set twice in a step
void reused_within(int n, double *u, double *t, double *w) {
  for (int i = 1; i < n - 1; i++)
    t[i] = u[i - 1] + u[i + 1];
  for (int i = 1; i < n - 1; i++) {
    w[i] = t[i - 1] + t[i + 1];
    t[i] = u[i] * 0.5;
  }
  for (int i = 1; i < n - 1; i++)
    u[i] = w[i] * 0.1 + t[i + 1] - t[i - 1];
}

// What was done before stays done.
// REFUSED: a `return` under a condition
void gives_up_late(int n, int m, double *u, double *v) {
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i - 1] + u[i + 1];
  if (m < 3)
    return;
  for (int i = 1; i < n - 1; i++)
    u[i] = v[i];
}

// REFUSED: a `return` under a condition
void gives_up_by_data(int n, double *u, double *v) {
  if (u[0] < 0)
    return;
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i - 1] + u[i + 1];
}

// REFUSED: this goes on to ny*nx - 1 along `x`, which has nx points
void shifted_flat(int ny, int nx, double *u, double *v) {
  for (int y = 1; y < ny - 1; y++)
    for (int x = 1; x < nx - 1; x++)
      v[y * nx + x] = u[y * nx + x - 1] + u[(y + 1) * nx + x];
  for (int i = 0; i < nx * ny - 1; i++)
    u[i] = v[i + 1];
}

// REFUSED: the test of a loop changes `k`
void counts_twice(int n, double *a, const double *b) {
  int k = 0;
  for (int i = 0; i < n && k++ < n; i++)
    a[i] = b[k - 1];
}

// REFUSED: `s` is set within a part of an expression that may be left out: `(s = b[i])`
void set_in_choice(int n, double *a, double *c, const double *b) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    a[i] = b[i] > 0 ? (s = b[i]) : 1;
    c[i] = s;
  }
}

// REFUSED: `(c[i] = b[i])` sets something, but may be left out
void stored_in_choice(int n, double *a, double *c, const double *b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] > 0 ? (c[i] = b[i]) : 1;
}

struct clocked {
  int n;
  double time, dt, *u, *v;
};

// REFUSED: `grid->time` is a number that outlives the call: only arrays are results of a stencil
void told_through_a_pointer(struct clocked *grid) {
  for (int i = 1; i < grid->n - 1; i++)
    grid->v[i] = grid->u[i] + grid->dt * (grid->u[i - 1] - 2 * grid->u[i] + grid->u[i + 1]);
  grid->time = grid->v[3];
}

// REFUSED: `up` says which points are neighbours, and is set anew here
void neighbours_anew(int n, int steps, double a[n], double b[n]) {
  int up[n];
  for (int i = 0; i < n; i++)
    up[i] = i + 1;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      a[i] = b[up[i]];
    up[1] = t;
  }
}

// REFUSED: `work` is a table of rows that the caller sees, and gets a row here
void rows_of_caller(int n, double **work, double a[n]) {
  for (int i = 0; i < n; i++)
    work[i] = malloc(n * sizeof(double));
  for (int i = 1; i < n - 1; i++)
    work[i][1] = a[i];
}

// REFUSED: each step sets other elements of `record`, which records the steps
void recorder(int n, int steps, double *a, double *b, double *record, int row) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] = a[i * n + j - 1] + a[i * n + j + 1];
    for (int j = 0; j < n; j++)
      record[t * n + j] = b[row * n + j];
    double *last = a;
    a = b;
    b = last;
  }
}

// REFUSED: no array that these loops set is there after the function
double forgotten(int n, const double *a) {
  double b[n];
  for (int i = 1; i < n; i++)
    b[i] = a[i] - a[i - 1];
  return a[0];
}
