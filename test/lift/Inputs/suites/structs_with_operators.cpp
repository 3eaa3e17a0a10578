// Vectors that are added and scaled
struct Vector {
  float x, y;
  Vector(float x, float y) : x(x), y(y) {}
  Vector operator*(float by) const { return Vector(x * by, y * by); }
};
static Vector operator+(const Vector &a, const Vector &b) { return Vector(a.x + b.x, a.y + b.y); }
static Vector operator-(const Vector &a, const Vector &b) { return {a.x - b.x, a.y - b.y}; }

// EQUAL
void spread(int n, int m, const Vector *u, Vector *v, float rate) {
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < m - 1; ++j) {
      const Vector here = u[i * m + j];
      const Vector around =
          u[i * m + j - 1] + u[i * m + j + 1] + u[(i - 1) * m + j] + u[(i + 1) * m + j] - here * 4;
      v[i * m + j] = here + around * rate;
    }
}
