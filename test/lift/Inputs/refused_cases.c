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
