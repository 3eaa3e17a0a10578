/* As a translator writes Fortran in C. */
typedef int integer;
typedef double doublereal;
int heat_(integer *nx, integer *ny, doublereal *u, doublereal *v, doublereal *r__) {
  integer u_dim1, u_offset, v_dim1, v_offset, i__1, i__2;
  static integer i__, j;
  v_dim1 = *nx;
  v_offset = 1 + v_dim1;
  v -= v_offset;
  u_dim1 = *nx;
  u_offset = 1 + u_dim1;
  u -= u_offset;
  i__1 = *ny - 1;
  for (j = 2; j <= i__1; ++j) {
    i__2 = *nx - 1;
    for (i__ = 2; i__ <= i__2; ++i__) {
      v[i__ + j * v_dim1] =
          u[i__ + j * u_dim1] +
          *r__ * (u[i__ - 1 + j * u_dim1] + u[i__ + 1 + j * u_dim1] + u[i__ + (j - 1) * u_dim1] +
                  u[i__ + (j + 1) * u_dim1] - u[i__ + j * u_dim1] * 4.);
    }
  }
  return 0;
}
