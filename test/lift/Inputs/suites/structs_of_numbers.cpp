// arrays of structs, whose members are numbers of one type
#include <utility>

struct State {
  double rho, mx, my;
};

// members of elements, named by subscripts
// EQUAL
void lax(int nx, int ny, State *u, State *v, double k) {
  for (int j = 1; j < ny - 1; j++)
    for (int i = 1; i < nx - 1; i++) {
      int c = j * nx + i;
      v[c].rho = 0.25 * (u[c - 1].rho + u[c + 1].rho + u[c - nx].rho + u[c + nx].rho) -
                 k * (u[c + 1].mx - u[c - 1].mx + u[c + nx].my - u[c - nx].my);
      v[c].mx = u[c].mx - k * (u[c + 1].rho - u[c - 1].rho);
      v[c].my = u[c].my;
    }
}

static double speed(State s) { return s.mx / s.rho; }
static void relax(State &to, const State *from) { to.my = 0.5 * (to.my + from->my); }

// elements that have names of their own, are copied and handed to functions
// EQUAL
void named(int n, State *u, State *v) {
  for (int i = 1; i < n - 1; i++) {
    const State &left = u[i - 1];
    const State *right = u + i + 1;
    State here = u[i];
    here.rho += 0.1 * (left.rho + right->rho);
    here.mx = speed(u[i + 1]);
    v[i] = here;
    relax(v[i], &u[i - 1]);
  }
}

// what a copy holds stays, whatever becomes of the element
// EQUAL
void copied(int n, State *u, double *w) {
  for (int i = 0; i < n; i++) {
    State before;
    before = u[i];
    u[i].rho = 1;
    w[i] = before.rho + u[i].rho;
  }
}

struct Site {
  double f[5];
};
static const int ex[5] = {0, 1, -1, 0, 0}, ey[5] = {0, 0, 0, 1, -1};
static const double weight[5] = {1. / 3, 1. / 6, 1. / 6, 1. / 6, 1. / 6};

// members that are arrays, and pointers that change places
// EQUAL
void lattice(Site *a, Site *b, int nx, int ny, int steps, double omega) {
  for (int t = 0; t < steps; ++t) {
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        double rho = 0;
        for (int k = 0; k < 5; ++k)
          rho += a[y * nx + x].f[k];
        for (int k = 0; k < 5; ++k) {
          int there = (y + ey[k] + ny) % ny * nx + (x + ex[k] + nx) % nx;
          b[there].f[k] = (1 - omega) * a[y * nx + x].f[k] + omega * weight[k] * rho;
        }
      }
    std::swap(a, b);
  }
}

struct Field {
  struct {
    float x, y;
  } v;
  float p;
};
struct Basin {
  int n;
  Field *now, *next;
};
static void step(const Field *u, Field *v, int n) {
  for (int i = 1; i < n - 1; i++) {
    v[i].v.x = u[i].v.x - 0.1f * (u[i + 1].p - u[i - 1].p);
    v[i].v.y = 0.9f * u[i].v.y;
    v[i].p = u[i].p - 0.1f * (u[i + 1].v.x - u[i - 1].v.x);
  }
}

// structs within structs, behind members of an object
// EQUAL
void rod(Basin *b, int steps) {
  for (int t = 0; t < steps; t++) {
    step(b->now, b->next, b->n);
    Field *last = b->now;
    b->now = b->next;
    b->next = last;
  }
}
