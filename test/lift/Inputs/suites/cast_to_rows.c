/* stencilgen-like: hypterm cut down */
void hypterm (double *flux_0_in, double *cons_1_in, double *cons_2_in, double *q_1_in, double *q_4_in, double dxinv0, double dxinv1, double dxinv2, int L, int M, int N) {
  double (*flux_0)[308][308] = (double (*)[308][308]) flux_0_in;
  double (*cons_1)[308][308] = (double (*)[308][308]) cons_1_in;
  double (*cons_2)[308][308] = (double (*)[308][308]) cons_2_in;
  double (*q_1)[308][308] = (double (*)[308][308]) q_1_in;
  double (*q_4)[308][308] = (double (*)[308][308]) q_4_in;
  for (int k = 4; k < L-4; k++)
    for (int j = 4; j < M-4; j++)
      for (int i = 4; i < N-4; i++) {
        flux_0[k][j][i] = -((0.8*(cons_1[k][j][i+1]-cons_1[k][j][i-1])-0.2*(cons_1[k][j][i+2]-cons_1[k][j][i-2])+0.038*(cons_1[k][j][i+3]-cons_1[k][j][i-3])-0.0035*(cons_1[k][j][i+4]-cons_1[k][j][i-4]))*dxinv0);
        flux_0[k][j][i] -= (0.8*(cons_2[k][j+1][i]*q_1[k][j+1][i]-cons_2[k][j-1][i]*q_1[k][j-1][i]+(q_4[k][j+1][i]-q_4[k][j-1][i])))*dxinv1;
      }
}
