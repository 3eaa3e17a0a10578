static void comm3(int n1, int n2, int n3, double u[n3][n2][n1]) {
  int i1, i2, i3;
  for (i3 = 1; i3 < n3 - 1; i3++) {
    for (i2 = 1; i2 < n2 - 1; i2++) {
      u[i3][i2][n1 - 1] = u[i3][i2][1];
      u[i3][i2][0] = u[i3][i2][n1 - 2];
    }
    for (i1 = 0; i1 < n1; i1++) {
      u[i3][n2 - 1][i1] = u[i3][1][i1];
      u[i3][0][i1] = u[i3][n2 - 2][i1];
    }
  }
  for (i2 = 0; i2 < n2; i2++) {
    for (i1 = 0; i1 < n1; i1++) {
      u[n3 - 1][i2][i1] = u[1][i2][i1];
      u[0][i2][i1] = u[n3 - 2][i2][i1];
    }
  }
}
// EQUAL
void resid(int n1, int n2, int n3, double u[n3][n2][n1], double v[n3][n2][n1], double r[n3][n2][n1],
           double a[4]) {
  double u1[1037], u2[1037];
  for (int i3 = 1; i3 < n3 - 1; i3++) {
    for (int i2 = 1; i2 < n2 - 1; i2++) {
      for (int i1 = 0; i1 < n1; i1++) {
        u1[i1] = u[i3][i2 - 1][i1] + u[i3][i2 + 1][i1] + u[i3 - 1][i2][i1] + u[i3 + 1][i2][i1];
        u2[i1] = u[i3 - 1][i2 - 1][i1] + u[i3 - 1][i2 + 1][i1] + u[i3 + 1][i2 - 1][i1] +
                 u[i3 + 1][i2 + 1][i1];
      }
      for (int i1 = 1; i1 < n1 - 1; i1++)
        r[i3][i2][i1] = v[i3][i2][i1] - a[0] * u[i3][i2][i1] -
                        a[2] * (u2[i1] + u1[i1 - 1] + u1[i1 + 1]) -
                        a[3] * (u2[i1 - 1] + u2[i1 + 1]);
    }
  }
  comm3(n1, n2, n3, r);
}
