#define RADIUS 4
void reference(float *output, const float *input, const float *coeff, const int dimx,
               const int dimy, const int dimz) {
  const int outerDimx = dimx + 2 * RADIUS, outerDimy = dimy + 2 * RADIUS;
  const int stride_y = outerDimx, stride_z = stride_y * outerDimy;
  const float *src = input;
  float *dst = output;
  for (int iz = -RADIUS; iz < dimz + RADIUS; iz++)
    for (int iy = -RADIUS; iy < dimy + RADIUS; iy++)
      for (int ix = -RADIUS; ix < dimx + RADIUS; ix++) {
        if (ix >= 0 && ix < dimx && iy >= 0 && iy < dimy && iz >= 0 && iz < dimz) {
          float value = (*src) * coeff[0];
          for (int ir = 1; ir <= RADIUS; ir++) {
            value += coeff[ir] * (*(src + ir) + *(src - ir));
            value += coeff[ir] * (*(src + ir * stride_y) + *(src - ir * stride_y));
            value += coeff[ir] * (*(src + ir * stride_z) + *(src - ir * stride_z));
          }
          *dst = value;
        } else {
          *dst = *src;
        }
        ++dst;
        ++src;
      }
}
