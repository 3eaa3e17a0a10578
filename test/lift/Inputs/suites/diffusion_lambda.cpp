#include <cstdlib>
struct storage {
  double *data;
  int stride_j, stride_k;
  double &at(int i, int j, int k) { return data[i + j * stride_j + k * stride_k]; }
};
void hdiff(double *in, double *coeff, double *out, int isize, int jsize, int ksize) {
  const int js = isize, ks = isize * jsize;
  for (int k = 0; k < ksize; ++k)
    for (int j = 2; j < jsize - 2; ++j)
      for (int i = 2; i < isize - 2; ++i) {
        auto lap = [&](int ii, int jj) {
          const int c = k * ks + jj * js + ii;
          return 4 * in[c] - (in[c - 1] + in[c + 1] + in[c - js] + in[c + js]);
        };
        const int c = k * ks + j * js + i;
        double fx = lap(i + 1, j) - lap(i, j);
        fx = fx * (in[c + 1] - in[c]) > 0 ? 0 : fx;
        double fxm = lap(i, j) - lap(i - 1, j);
        fxm = fxm * (in[c] - in[c - 1]) > 0 ? 0 : fxm;
        out[c] = in[c] - coeff[c] * (fx - fxm);
      }
}
