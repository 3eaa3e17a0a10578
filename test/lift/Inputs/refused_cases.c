/* `switch` that is no choice between cases. What is said of each stands before it. */

// REFUSED: a case goes on into the next one
void falls_through(int n, double a[n], double b[n], int kind) {
  for (int i = 1; i < n - 1; i++) {
    switch (kind) {
    case 0:
      a[i] = b[i];
    case 1:
      a[i] = b[i - 1];
    }
  }
}

// REFUSED: a `break` in the middle of a case
void breaks_early(int n, double a[n], double b[n], int kind) {
  for (int i = 1; i < n - 1; i++) {
    switch (kind) {
    case 0:
      if (b[i] > 0)
        break;
      a[i] = b[i];
    }
  }
}

// REFUSED: a case of several numbers
void ranges(int n, double a[n], double b[n], int kind) {
  for (int i = 1; i < n - 1; i++) {
    switch (kind) {
    case 0 ... 3:
      a[i] = b[i];
    }
  }
}

// REFUSED: a statement stands before all cases
void before_cases(int n, double a[n], double b[n], int kind) {
  for (int i = 1; i < n - 1; i++) {
    switch (kind) {
      a[i] = 1;
    default:
      a[i] = b[i];
    }
  }
}

// REFUSED: a `switch` that is not plain
void counts_in_switch(int n, double a[n], double b[n], int kind) {
  for (int i = 1; i < n - 1; i++) {
    switch (kind++) {
    default:
      a[i] = b[i];
    }
  }
}

// REFUSED: points of `r` are set twice in a step
void added_to_beside(double r[20], double g[20], const double h[20]) {
  for (int i = 0; i < 20; i++)
    r[i] = 0;
  for (int i = 1; i < 19; i++) {
    r[i] += g[i - 1];
    g[i] = 2 * h[i];
  }
}

static double level_one[40], level_two[40];
// REFUSED: `level_one` is named here, and pointers to it change places from turn to turn
void named_beside_pointers(int steps) {
  double *now = level_one, *next = level_two;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < 39; i++)
      next[i] = now[i - 1] + now[i + 1] + level_one[i];
    double *last = now;
    now = next;
    next = last;
  }
}

// REFUSED: `sum` is made of terms whose number only a run tells: it hangs on `r`
void so_many_terms(int n, int r, double a[n], const double b[n]) {
  for (int i = r; i < n - r; i++) {
    double sum = 0;
    for (int k = -r; k <= r; k++)
      sum += b[i + k];
    a[i] = sum / (2 * r + 1);
  }
}

// REFUSED: `twice` changes from step to step, or is made of a number that does
void longer_steps(int n, int steps, double dt, double a[n], double b[n]) {
  double now = dt;
  for (int t = 0; t < steps; t++) {
    double twice = 2 * now;
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i] + twice * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
    now = now + now;
  }
}

// REFUSED: `slope` has no value here, or not on every way to it
void not_on_every_way(int n, double a[n], const double b[n]) {
  for (int i = 1; i < n - 1; i++) {
    double slope;
    if (b[i] > 0)
      slope = b[i + 1] - b[i - 1];
    a[i] = slope;
  }
}

// REFUSED: `last` holds what the last turn of a loop has left in it
void left_by_loop(int n, double a[n], const double b[n]) {
  double last = 0;
  for (int i = 0; i < n; i++)
    last = b[i];
  for (int i = 0; i < n; i++)
    a[i] = last;
}
