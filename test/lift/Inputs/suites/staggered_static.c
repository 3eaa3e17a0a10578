#define NX 60
#define NY 50
void yee(int nt, double ex[NX][NY + 1], double ey[NX + 1][NY], double hz[NX][NY], double ce,
         double ch) {
  for (int t = 0; t < nt; t++) {
    for (int i = 0; i < NX; i++)
      for (int j = 1; j < NY; j++)
        ex[i][j] += ce * (hz[i][j] - hz[i][j - 1]);
    for (int i = 1; i < NX; i++)
      for (int j = 0; j < NY; j++)
        ey[i][j] -= ce * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < NX; i++)
      for (int j = 0; j < NY; j++)
        hz[i][j] += ch * (ex[i][j + 1] - ex[i][j] - ey[i + 1][j] + ey[i][j]);
  }
}
