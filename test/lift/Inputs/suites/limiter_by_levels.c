void hdiff(int ksize, int jsize, int isize, const double in[restrict ksize][jsize][isize],
           const double coeff[restrict ksize][jsize][isize],
           double out[restrict ksize][jsize][isize]) {
  for (int k = 0; k < ksize; ++k) {
    double lap[jsize][isize], flx[jsize][isize], fly[jsize][isize];
    for (int j = 1; j < jsize - 1; ++j)
      for (int i = 1; i < isize - 1; ++i)
        lap[j][i] = 4 * in[k][j][i] -
                    (in[k][j][i - 1] + in[k][j][i + 1] + in[k][j - 1][i] + in[k][j + 1][i]);
    for (int j = 2; j < jsize - 2; ++j)
      for (int i = 1; i < isize - 2; ++i) {
        flx[j][i] = lap[j][i + 1] - lap[j][i];
        if (flx[j][i] * (in[k][j][i + 1] - in[k][j][i]) > 0)
          flx[j][i] = 0;
      }
    for (int j = 1; j < jsize - 2; ++j)
      for (int i = 2; i < isize - 2; ++i) {
        fly[j][i] = lap[j + 1][i] - lap[j][i];
        if (fly[j][i] * (in[k][j + 1][i] - in[k][j][i]) > 0)
          fly[j][i] = 0;
      }
    for (int j = 2; j < jsize - 2; ++j)
      for (int i = 2; i < isize - 2; ++i)
        out[k][j][i] =
            in[k][j][i] - coeff[k][j][i] * (flx[j][i] - flx[j][i - 1] + fly[j][i] - fly[j - 1][i]);
  }
}
