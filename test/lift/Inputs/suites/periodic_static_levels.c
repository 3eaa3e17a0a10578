#define N 100L
#define T 40L
double A[2][N][N];
void heat2dp() {
    long int t, i, j;
#pragma scop
    for (t = 0; t < T; t++) {
        for (i = 0; i < N; i++) {
            for (j = 0; j < N; j++) {
                A[(t+1)%2][i][j] = 0.125 * (A[t%2][i==N-1?0:i+1][j] - 2.0 * A[t%2][i][j] + A[t%2][i==0?N-1:i-1][j])
                    + 0.125 * (A[t%2][i][j==N-1?0:j+1] - 2.0*A[t%2][i][j] + A[t%2][i][j==0?N-1:j-1])
                    + A[t%2][i][j];
            }
        }
    }
#pragma endscop
}
