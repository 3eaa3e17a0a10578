// --size y=16,x=21 --steps=8
#include "loops.h"
enum { NY = 16, NX = 21 };
static double image[NY][NX], c[NY][NX], next[NY][NX];
int main(void) {
  const double scale = 0.05, rate = 0.5;
  FOR(y, 0, NY)
  FOR(x, 0, NX) image[y][x] = exp(0.3 * sin(1.3 * x + 0.7 * y) + 0.2 * cos(2.1 * x * y));
  FOR(step, 0, 8) {
    FOR(pass, 0, 2) FOR(y, 0, NY) FOR(x, 0, NX) {
      const int below = CLAMP(y + 1, NY), right = CLAMP(x + 1, NX);
      const double u = image[y][x], north = image[CLAMP(y - 1, NY)][x] - u,
                   south = image[below][x] - u, west = image[y][CLAMP(x - 1, NX)] - u,
                   east = image[y][right] - u;
      const double slope = (north * north + south * south + west * west + east * east) / (u * u);
      const double bend = (north + south + west + east) / u;
      const double q = (slope / 2 - bend * bend / 16) / ((1 + bend / 4) * (1 + bend / 4));
      if (pass == 0)
        c[y][x] = fmin(fmax(1 / (1 + (q - scale) / (scale * (1 + scale))), 0), 1);
      else
        next[y][x] =
            u + rate / 4 *
                    (c[below][x] * south + c[y][x] * north + c[y][right] * east + c[y][x] * west);
    }
    KEEP(image, next);
  }
  PUT(image);
}
