// A step of two stages, of an object.
#include <vector>
class Burgers {
public:
  Burgers(int n, double dx, double nu) : n_(n), dx_(dx), nu_(nu), u_(n), k_(n), tmp_(n) {}
  void step(double dt) {
    rhs(u_, k_);
    for (int i = 0; i < n_; ++i)
      tmp_[i] = u_[i] + dt * k_[i];
    rhs(tmp_, k_);
    for (int i = 0; i < n_; ++i)
      u_[i] = 0.5 * (u_[i] + tmp_[i] + dt * k_[i]);
  }

private:
  void rhs(const std::vector<double> &u, std::vector<double> &k) {
    for (int i = 0; i < n_; ++i) {
      const int l = (i == 0) ? n_ - 1 : i - 1;
      const int r = (i == n_ - 1) ? 0 : i + 1;
      k[i] = -u[i] * (u[r] - u[l]) / (2 * dx_) + nu_ * (u[r] - 2 * u[i] + u[l]) / (dx_ * dx_);
    }
  }
  int n_;
  double dx_, nu_;
  std::vector<double> u_, k_, tmp_;
};
