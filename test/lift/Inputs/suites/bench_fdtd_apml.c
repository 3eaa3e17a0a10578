#define CZ 20
#define CYM 18
#define CXM 16
#define DATA_TYPE double
void kernel_fdtd_apml(int cz, int cxm, int cym, DATA_TYPE mui, DATA_TYPE ch,
                      DATA_TYPE Ax[CZ + 1][CYM + 1], DATA_TYPE Ry[CZ + 1][CYM + 1],
                      DATA_TYPE clf[CYM + 1][CXM + 1], DATA_TYPE tmp[CYM + 1][CXM + 1],
                      DATA_TYPE Bza[CZ + 1][CYM + 1][CXM + 1],
                      DATA_TYPE Ex[CZ + 1][CYM + 1][CXM + 1],
                      DATA_TYPE Ey[CZ + 1][CYM + 1][CXM + 1],
                      DATA_TYPE Hz[CZ + 1][CYM + 1][CXM + 1], DATA_TYPE czm[CZ + 1],
                      DATA_TYPE czp[CZ + 1], DATA_TYPE cxmh[CXM + 1], DATA_TYPE cxph[CXM + 1],
                      DATA_TYPE cymh[CYM + 1], DATA_TYPE cyph[CYM + 1]) {
  int iz, iy, ix;
  for (iz = 0; iz < CZ; iz++)
    for (iy = 0; iy < CYM; iy++)
      for (ix = 0; ix < CXM; ix++) {
        Bza[iz][iy][ix] = (cymh[iy] / cyph[iy]) * Bza[iz][iy][ix] +
                          (ch / cyph[iy]) * (Ex[iz][iy][ix] - Ex[iz][iy + 1][ix] +
                                             Ey[iz][iy][ix + 1] - Ey[iz][iy][ix]);
        Hz[iz][iy][ix] =
            (cxmh[ix] / cxph[ix]) * Hz[iz][iy][ix] + (mui * czp[iz] / cxph[ix]) * Bza[iz][iy][ix];
      }
}
