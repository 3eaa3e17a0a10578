/* A time and a count that the caller finds changed */
struct heat {
  int n, steps;
  double time, dt, *u, *v;
};
int calls;

// EQUAL
void step(struct heat *h) {
  for (int i = 1; i < h->n - 1; i++)
    h->v[i] = h->u[i] + h->dt * (h->u[i - 1] - 2 * h->u[i] + h->u[i + 1]);
  double *last = h->u;
  h->u = h->v;
  h->v = last;
  h->time += h->dt;
  h->steps++;
  calls += 1;
}
