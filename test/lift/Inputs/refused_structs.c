/* Arrays of structs that are no grids. What is said of each stands before it. */
struct mixed {
  double a;
  int kind;
};
struct pair {
  double a, b;
};
struct some {
  double a, f[3];
};

// REFUSED: `x[i-1].a` is no array element that is understood
void of_several_types(int n, struct mixed *x, double *y) {
  for (int i = 1; i < n; i++)
    y[i] = x[i-1].a;
}

// REFUSED: `x` is taken for a struct before, and for an array here
void one_and_many(int n, struct pair *x, struct pair *y) {
  double s = x->a;
  for (int i = 1; i < n; i++)
    y[i].a = s * x[i - 1].b;
}

// REFUSED: an element is copied whose members are not all numbers
void with_arrays(int n, struct some *x, struct some *y) {
  for (int i = 1; i < n; i++) {
    struct some here = x[i - 1];
    y[i].a = here.a + here.f[1];
  }
}

struct holder {
  struct pair first;
};

// REFUSED: `h->first` is set to an element as a whole
void held(int n, struct pair *x, double *y, struct holder *h) {
  h->first = x[0];
  for (int i = 1; i < n; i++)
    y[i] = h->first.a * x[i].b;
}

struct outer {
  struct pair inner;
};

// REFUSED: `x[i-1].inner` is a struct within one, which gets a name
void named_within(int n, struct outer *x, double *y) {
  for (int i = 1; i < n; i++) {
    const struct pair *p = &x[i-1].inner;
    y[i] = p->a + p->b;
  }
}
