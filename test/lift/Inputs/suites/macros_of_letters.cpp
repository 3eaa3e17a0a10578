// Extents with names of a letter, which are words of the file alone
#define N 20
#define T 12
#define D 3
double field[N][T], next[N][T];
struct Diffusion {
  double rate;
  void step() {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < T - 1; j++)
        next[i][j] = field[i][j] + rate * D *
                                       (field[i - 1][j] + field[i + 1][j] + field[i][j - 1] +
                                        field[i][j + 1] - 4 * field[i][j]);
  }
};
