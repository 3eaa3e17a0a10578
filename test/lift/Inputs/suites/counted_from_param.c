#include <math.h>
#define FTNREF2D(i, j, ni, imin, jmin) (((i) - (imin)) + (ni) * ((j) - (jmin)))
void pdv(int x_min, int x_max, int y_min, int y_max, double dt, double *xarea, double *yarea,
         double *volume, double *density0, double *density1, double *energy0, double *energy1,
         double *pressure, double *viscosity, double *xvel0, double *yvel0) {
  int j, k;
  double left_flux, right_flux, bottom_flux, top_flux, total_flux, recip_volume, energy_change,
      volume_change_s;
  for (k = y_min; k <= y_max; k++)
#pragma ivdep
    for (j = x_min; j <= x_max; j++) {
      left_flux = (xarea[FTNREF2D(j, k, x_max + 5, x_min - 2, y_min - 2)] *
                   (xvel0[FTNREF2D(j, k, x_max + 5, x_min - 2, y_min - 2)] +
                    xvel0[FTNREF2D(j, k + 1, x_max + 5, x_min - 2, y_min - 2)])) *
                  0.25 * dt * 0.5;
      right_flux = (xarea[FTNREF2D(j + 1, k, x_max + 5, x_min - 2, y_min - 2)] *
                    (xvel0[FTNREF2D(j + 1, k, x_max + 5, x_min - 2, y_min - 2)] +
                     xvel0[FTNREF2D(j + 1, k + 1, x_max + 5, x_min - 2, y_min - 2)])) *
                   0.25 * dt * 0.5;
      bottom_flux = (yarea[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] *
                     (yvel0[FTNREF2D(j, k, x_max + 5, x_min - 2, y_min - 2)] +
                      yvel0[FTNREF2D(j + 1, k, x_max + 5, x_min - 2, y_min - 2)])) *
                    0.25 * dt * 0.5;
      top_flux = (yarea[FTNREF2D(j, k + 1, x_max + 4, x_min - 2, y_min - 2)] *
                  (yvel0[FTNREF2D(j, k + 1, x_max + 5, x_min - 2, y_min - 2)] +
                   yvel0[FTNREF2D(j + 1, k + 1, x_max + 5, x_min - 2, y_min - 2)])) *
                 0.25 * dt * 0.5;
      total_flux = right_flux - left_flux + top_flux - bottom_flux;
      volume_change_s = volume[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] /
                        (volume[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] + total_flux);
      recip_volume = 1.0 / volume[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)];
      energy_change = (pressure[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] /
                           density0[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] +
                       viscosity[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] /
                           density0[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)]) *
                      total_flux * recip_volume;
      energy1[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] =
          energy0[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] - energy_change;
      density1[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] =
          density0[FTNREF2D(j, k, x_max + 4, x_min - 2, y_min - 2)] * volume_change_s;
    }
}
