/* What the plain loops share: grids, and the fields of the last state as doubles on standard
 * output, in the order of their declaration. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PUT(field) fwrite(field, sizeof(field), 1, stdout)
#define KEEP(next, now) memcpy(next, now, sizeof(now))
#define WRAP(i, n) (((i) + (n)) % (n))
#define CLAMP(i, n) ((i) < 0 ? 0 : (i) >= (n) ? (n) - 1 : (i))
#define FOR(i, from, to) for (int i = (from); i < (to); ++i)
