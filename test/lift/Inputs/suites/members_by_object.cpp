// What is handed to another object's function is the caller's own
struct Scaled {
  double scale;
  double of(double value) const { return value * scale; }
  void step(int n, const double *from, double *to, const Scaled &other) {
    for (int i = 1; i < n - 1; i++)
      to[i] = of(from[i + 1]) + other.of(scale * from[i - 1]);
  }
};
