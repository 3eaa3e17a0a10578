// The StencilInterpreter against hand-written loops (reference/Loops.c), bit for bit after several
// steps, on odd extents and on extents smaller than any frame.
#include "test/ir/StencilSource.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

extern "C" {
void heat(int, int, int, double *u, double *next, double alpha, double beta);
void su7pt2(int, int, int, double *u, double *g, double *next, double alpha, double beta);
void su7pt3(int, int, int, double *u, double *k, double *g, double *next, double alpha);
void su19pt(int, int, int, double *u, double *g, double *next, double alpha, double beta);
void diffusion(int, int, int, float *f, float *next, float ce, float cw, float cn, float cs,
               float ct, float cb, float cc);
void star2(int, int, int, double *u, double *next, double c);
void wave(int, int, int, float *p, float *prev, float *c, float dt, float h);
void box27(int, int, int, double *u, double *next);
void jacobi5(int, int, float *u, float *f, float *next);
void jacobi9(int, int, double *u, double *next, double bottom, double right);
void grayScott(int, int, double *u, double *v, double *un, double *vn, double du, double dv,
               double feed, double kill);
void hdiff(int, int, int, double *u, double *coeff, double *next);
void fdtd2d(int, int, double *ex, double *ey, double *hz, double ce, double ch);
void advect(int, int, float *q, double *speed, float *damping, float *next);
}

namespace {

constexpr int kSteps = 3;

/// One stencil on one grid: the state it starts from, and what the interpreter makes of it.
class Comparison {
public:
  Comparison(llvm::StringRef source, std::vector<int64_t> extents)
      : stencil(stencilOf(source)), before(noise(stencil, std::move(extents))), after(before) {
    llvm::cantFail(interpret(stencil, after, kSteps));
  }

  int extent(unsigned axis) const { return before.extents[axis]; }

  /// The array at the start, as the loops hold it.
  template <class T = double> std::vector<T> array(llvm::StringRef name) const {
    const Grid &grid = before.current[numberOf(name)];
    return {grid.values.begin(), grid.values.end()};
  }
  template <class T = double> std::vector<T> previous(llvm::StringRef name) const {
    const Grid &grid = before.previous[numberOf(name)];
    return {grid.values.begin(), grid.values.end()};
  }

  /// The array at the end must hold what the loops made.
  template <class T> void expect(llvm::StringRef name, const std::vector<T> &values) const {
    Grid expected = after.current[numberOf(name)];
    ASSERT_EQ(expected.values.size(), values.size());
    expected.values.assign(values.begin(), values.end());
    const auto difference = firstDifference(after.current[numberOf(name)], expected);
    EXPECT_FALSE(difference) << stencil.name << ": " << name.str() << " differs at "
                             << testing::PrintToString(*difference) << " of extents "
                             << testing::PrintToString(before.extents);
  }

private:
  unsigned numberOf(llvm::StringRef name) const {
    const auto found =
        llvm::find_if(stencil.arrays, [&](const Array &array) { return array.name == name; });
    assert(found != stencil.arrays.end() && "no such array");
    return found - stencil.arrays.begin();
  }

  Stencil stencil;
  State before, after;
};

const std::vector<std::vector<int64_t>> boxes = {{11, 13, 17}, {5, 3, 7}, {1, 2, 3}, {9, 1, 12}};
const std::vector<std::vector<int64_t>> planes = {{13, 17}, {3, 5}, {1, 2}, {2, 1}, {1, 1}};

TEST(StencilReference, HeatWithFixedWalls) {
  for (const auto &extents : boxes) {
    const Comparison run(R"(
      stencil heat(z, y, x) {
        field f64 u;
        param f64 alpha = 0.4, beta = 0.1;
        boundary u: fixed;
        u' = alpha*u + beta*(u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1]);
      })",
                         extents);
    std::vector<double> u = run.array("u"), next = u;
    for (int step = 0; step < kSteps; ++step, u.swap(next))
      heat(run.extent(0), run.extent(1), run.extent(2), u.data(), next.data(), 0.4, 0.1);
    run.expect("u", u);
  }
}

TEST(StencilReference, SevenPointsAndSource) {
  for (const auto &extents : boxes) {
    const Comparison run(R"(
      stencil su_7pt2(z, y, x) {
        field f64 u;
        const f64 g;
        param f64 alpha = 0.3, beta = 0.12;
        boundary u: halo;
        u' = alpha*g + beta*(u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1]);
      })",
                         extents);
    std::vector<double> u = run.array("u"), g = run.array("g"), next = u;
    for (int step = 0; step < kSteps; ++step, u.swap(next))
      su7pt2(run.extent(0), run.extent(1), run.extent(2), u.data(), g.data(), next.data(), 0.3,
             0.12);
    run.expect("u", u);
  }
}

TEST(StencilReference, VariableConductivity) {
  for (const auto &extents : boxes) {
    const Comparison run(R"(
      stencil su_7pt3(z, y, x) {
        field f64 u;
        const f64 k, g;
        param f64 alpha = 0.2;
        boundary u, k: halo;
        let fx = (k[x+1] + k)*(u[x+1] - u);
        let fy = (k[y+1] + k)*(u[y+1] - u);
        let fz = (k[z+1] + k)*(u[z+1] - u);
        u' = u + g + alpha*(fx - (k + k[x-1])*(u - u[x-1]) + fy - (k + k[y-1])*(u - u[y-1])
                               + fz - (k + k[z-1])*(u - u[z-1]));
      })",
                         extents);
    std::vector<double> u = run.array("u"), k = run.array("k"), g = run.array("g"), next = u;
    for (int step = 0; step < kSteps; ++step, u.swap(next))
      su7pt3(run.extent(0), run.extent(1), run.extent(2), u.data(), k.data(), g.data(), next.data(),
             0.2);
    run.expect("u", u);
  }
}

TEST(StencilReference, NineteenPoints) {
  for (const auto &extents : boxes) {
    const Comparison run(R"(
      stencil su_19pt(z, y, x) {
        field f64 u;
        const f64 g;
        param f64 alpha = 0.3, beta = 0.12;
        boundary u: halo;
        u' = alpha*g + beta*(u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1])
           + (u[y-1, x-1] + u[y-1, x+1] + u[y+1, x-1] + u[y+1, x+1]
              + u[z-1, x-1] + u[z-1, x+1] + u[z+1, x-1] + u[z+1, x+1]
              + u[z-1, y-1] + u[z-1, y+1] + u[z+1, y-1] + u[z+1, y+1]);
      })",
                         extents);
    std::vector<double> u = run.array("u"), g = run.array("g"), next = u;
    for (int step = 0; step < kSteps; ++step, u.swap(next))
      su19pt(run.extent(0), run.extent(1), run.extent(2), u.data(), g.data(), next.data(), 0.3,
             0.12);
    run.expect("u", u);
  }
}

TEST(StencilReference, ClampedDiffusion) {
  for (const auto &extents : boxes) {
    const Comparison run(R"(
      stencil diffusion(z, y, x) {
        field f32 f;
        param f32 ce = 0.1, cw = 0.11, cn = 0.12, cs = 0.13, ct = 0.14, cb = 0.15, cc = 0.25;
        boundary f: clamp;
        f' = cc*f + cw*f[x-1] + ce*f[x+1] + cs*f[y+1] + cn*f[y-1] + cb*f[z-1] + ct*f[z+1];
      })",
                         extents);
    std::vector<float> f = run.array<float>("f"), next = f;
    for (int step = 0; step < kSteps; ++step, f.swap(next))
      diffusion(run.extent(0), run.extent(1), run.extent(2), f.data(), next.data(), 0.1f, 0.11f,
                0.12f, 0.13f, 0.14f, 0.15f, 0.25f);
    run.expect("f", f);
  }
}

TEST(StencilReference, LaplacianOfOrderFour) {
  for (const auto &extents : boxes) {
    const Comparison run(R"(
      stencil star2(z, y, x) {
        field f64 u;
        param f64 c = 0.05;
        boundary u: fixed;
        u' = u + c*laplace(u, order=4);
      })",
                         extents);
    std::vector<double> u = run.array("u"), next = u;
    for (int step = 0; step < kSteps; ++step, u.swap(next))
      star2(run.extent(0), run.extent(1), run.extent(2), u.data(), next.data(), 0.05);
    run.expect("u", u);
  }
}

TEST(StencilReference, WavesWithFreeSurface) {
  for (const auto &extents : boxes) {
    const Comparison run(R"(
      stencil wave(z, y, x) {
        field f32 p;
        const f32 c;
        param f32 dt = 0.5, h = 3.0;
        let k = (dt/h)*(dt/h);
        boundary p: z- value(0), fixed;
        p' = 2*p - p[t-1] + k*c*c*laplace(p, order=8);
      })",
                         extents);
    std::vector<float> p = run.array<float>("p"), prev = run.previous<float>("p");
    std::vector<float> c = run.array<float>("c");
    for (int step = 0; step < kSteps; ++step, p.swap(prev))
      wave(run.extent(0), run.extent(1), run.extent(2), p.data(), prev.data(), c.data(), 0.5f,
           3.0f);
    run.expect("p", p);
  }
}

TEST(StencilReference, MeanOfTwentySevenPoints) {
  for (const auto &extents : boxes) {
    const Comparison run(R"(
      stencil box27(z, y, x) {
        field f64 u;
        boundary u: x periodic, halo;
        u' = sum(k=-1:1, j=-1:1, i=-1:1, u[z+k, y+j, x+i]) / 27;
      })",
                         extents);
    std::vector<double> u = run.array("u"), next = u;
    for (int step = 0; step < kSteps; ++step, u.swap(next))
      box27(run.extent(0), run.extent(1), run.extent(2), u.data(), next.data());
    run.expect("u", u);
  }
}

TEST(StencilReference, JacobiFivePoints) {
  for (const auto &extents : planes) {
    const Comparison run(R"(
      stencil jacobi5(y, x) {
        field f32 u;
        const f32 f;
        boundary u: fixed;
        u' = (u[x-1] + u[x+1] + u[y-1] + u[y+1] + f)*0.25;
      })",
                         extents);
    std::vector<float> u = run.array<float>("u"), f = run.array<float>("f"), next = u;
    for (int step = 0; step < kSteps; ++step, u.swap(next))
      jacobi5(run.extent(0), run.extent(1), u.data(), f.data(), next.data());
    run.expect("u", u);
  }
}

TEST(StencilReference, WallsHoldNumbersAndTheFirstAxisDecidesCorners) {
  for (const auto &extents : planes) {
    const Comparison run(R"(
      stencil jacobi9(y, x) {
        field f64 u;
        param f64 bottom = 2.5, right = -0.75;
        boundary u: x- value(0.5), y- value(bottom), x+ value(right), y+ value(-1.5);
        u' = 0.2*(u[x-1] + u[x+1] + u[y-1] + u[y+1])
           + 0.05*(u[y-1, x-1] + u[y-1, x+1] + u[y+1, x-1] + u[y+1, x+1]);
      })",
                         extents);
    std::vector<double> u = run.array("u"), next = u;
    for (int step = 0; step < kSteps; ++step, u.swap(next))
      jacobi9(run.extent(0), run.extent(1), u.data(), next.data(), 2.5, -0.75);
    run.expect("u", u);
  }
}

TEST(StencilReference, TwoSubstancesOnATorus) {
  for (const auto &extents : planes) {
    const Comparison run(R"(
      stencil gray_scott(y, x) {
        field f64 u, v;
        param f64 du = 0.16, dv = 0.08, feed = 0.035, kill = 0.065;
        boundary u, v: periodic;
        let lu = u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u;
        let lv = v[x-1] + v[x+1] + v[y-1] + v[y+1] - 4*v;
        let uvv = u*v*v;
        u' = u + (du*lu - uvv + feed*(1 - u));
        v' = v + (dv*lv + uvv - (feed + kill)*v);
      })",
                         extents);
    std::vector<double> u = run.array("u"), v = run.array("v"), un = u, vn = v;
    for (int step = 0; step < kSteps; ++step, u.swap(un), v.swap(vn))
      grayScott(run.extent(0), run.extent(1), u.data(), v.data(), un.data(), vn.data(), 0.16, 0.08,
                0.035, 0.065);
    run.expect("u", u);
    run.expect("v", v);
  }
}

TEST(StencilReference, FluxLimiter) {
  for (const auto &extents : boxes) {
    const Comparison run(R"(
      stencil hdiff(z, y, x) {
        field f64 u;
        const f64 coeff;
        boundary u: halo;
        let lap = 4*u - (u[x-1] + u[x+1] + u[y-1] + u[y+1]);
        let rx = lap[x+1] - lap;
        let ry = lap[y+1] - lap;
        let fx = where(rx*(u[x+1] - u) > 0, 0, rx);
        let fy = where(ry*(u[y+1] - u) > 0, 0, ry);
        u' = u - coeff*(fx - fx[x-1] + fy - fy[y-1]);
      })",
                         extents);
    std::vector<double> u = run.array("u"), coeff = run.array("coeff"), next = u;
    for (int step = 0; step < kSteps; ++step, u.swap(next))
      hdiff(run.extent(0), run.extent(1), run.extent(2), u.data(), coeff.data(), next.data());
    run.expect("u", u);
  }
}

TEST(StencilReference, MaxwellInTwoStages) {
  for (const auto &extents : planes) {
    const Comparison run(R"(
      stencil fdtd2d(y, x) {
        field f64 ex, ey, hz;
        param f64 ce = 0.5, ch = 0.7;
        boundary ex, ey, hz: fixed;
        stage { ex' = ex + ce*(hz - hz[y-1]);  ey' = ey - ce*(hz - hz[x-1]); }
        stage { hz' = hz + ch*(ex'[y+1] - ex' - ey'[x+1] + ey'); }
      })",
                         extents);
    std::vector<double> ex = run.array("ex"), ey = run.array("ey"), hz = run.array("hz");
    for (int step = 0; step < kSteps; ++step)
      fdtd2d(run.extent(0), run.extent(1), ex.data(), ey.data(), hz.data(), 0.5, 0.7);
    run.expect("ex", ex);
    run.expect("ey", ey);
    run.expect("hz", hz);
  }
}

TEST(StencilReference, MixedPrecisionAndArraysWithFewerAxes) {
  for (const auto &extents : planes) {
    const Comparison run(R"(
      stencil advect(y, x) {
        field f32 q;
        const f64 speed(x);
        const f32 damping(y);
        boundary q: x periodic;
        let slope = q - q[x-1];
        q' = damping*q - speed*slope;
      })",
                         extents);
    std::vector<float> q = run.array<float>("q"), next = q;
    std::vector<double> speed = run.array("speed");
    std::vector<float> damping = run.array<float>("damping");
    for (int step = 0; step < kSteps; ++step, q.swap(next))
      advect(run.extent(0), run.extent(1), q.data(), speed.data(), damping.data(), next.data());
    run.expect("q", q);
  }
}

} // namespace
