void accelerate_kernel(int x_max, int y_max, double xarea[y_max + 4][x_max + 5],
                       double yarea[y_max + 5][x_max + 4], double volume[y_max + 4][x_max + 4],
                       double density0[y_max + 4][x_max + 4], double pressure[y_max + 4][x_max + 4],
                       double viscosity[y_max + 4][x_max + 4], double xvel0[y_max + 5][x_max + 5],
                       double yvel0[y_max + 5][x_max + 5], double xvel1[y_max + 5][x_max + 5],
                       double yvel1[y_max + 5][x_max + 5], double dt) {
  double halfdt = 0.5 * dt;
#pragma omp parallel for
  for (int k = 2; k < y_max + 3; k++)
    for (int j = 2; j < x_max + 3; j++) {
      double nodal_mass =
          (density0[k - 1][j - 1] * volume[k - 1][j - 1] + density0[k - 1][j] * volume[k - 1][j] +
           density0[k][j] * volume[k][j] + density0[k][j - 1] * volume[k][j - 1]) *
          0.25;
      double stepbymass_s = halfdt / nodal_mass;
      xvel1[k][j] =
          xvel0[k][j] -
          stepbymass_s * (xarea[k][j] * (pressure[k][j] - pressure[k][j - 1]) +
                          xarea[k - 1][j] * (pressure[k - 1][j] - pressure[k - 1][j - 1]));
      yvel1[k][j] =
          yvel0[k][j] -
          stepbymass_s * (yarea[k][j] * (pressure[k][j] - pressure[k - 1][j]) +
                          yarea[k][j - 1] * (pressure[k][j - 1] - pressure[k - 1][j - 1]));
      xvel1[k][j] =
          xvel1[k][j] -
          stepbymass_s * (xarea[k][j] * (viscosity[k][j] - viscosity[k][j - 1]) +
                          xarea[k - 1][j] * (viscosity[k - 1][j] - viscosity[k - 1][j - 1]));
      yvel1[k][j] =
          yvel1[k][j] -
          stepbymass_s * (yarea[k][j] * (viscosity[k][j] - viscosity[k - 1][j]) +
                          yarea[k][j - 1] * (viscosity[k][j - 1] - viscosity[k - 1][j - 1]));
    }
}
