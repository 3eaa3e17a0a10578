#include "costmodel/calibrate/Fit.h"

#include "costmodel/model/GeometricTraffic.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace stencilc {

/// The number below which a share of all lie; between two of them in proportion.
static double quantile(ArrayRef<double> sorted, double share) {
  const double place = share * double(sorted.size() - 1);
  const size_t before = size_t(place), after = std::min(before + 1, sorted.size() - 1);
  return sorted[before] + (place - double(before)) * (sorted[after] - sorted[before]);
}

double median(std::vector<double> numbers) {
  sort(numbers);
  return quantile(numbers, 0.5);
}

double spread(ArrayRef<double> numbers) {
  std::vector<double> sorted = numbers.vec();
  sort(sorted);
  return (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / quantile(sorted, 0.5);
}

std::optional<LinearFit> fitLinear(ArrayRef<std::vector<double>> rows, ArrayRef<double> values) {
  const size_t factors = rows.empty() ? 0 : rows[0].size();
  if (factors == 0 || rows.size() < factors || any_of(values, [](double v) { return !(v > 0); }))
    return std::nullopt;
  // Each row is divided by its value; columns are made orthogonal one after another (QR).
  std::vector<std::vector<double>> columns(factors, std::vector<double>(rows.size()));
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t k = 0; k < factors; ++k)
      columns[k][row] = rows[row][k] / values[row];
  const auto dot = [](ArrayRef<double> left, ArrayRef<double> right) {
    double sum = 0;
    for (const auto [l, r] : zip_equal(left, right))
      sum += l * r;
    return sum;
  };
  const std::vector<double> ones(rows.size(), 1.0);
  std::vector<std::vector<double>> triangle(factors, std::vector<double>(factors));
  std::vector<double> right(factors);
  for (size_t k = 0; k < factors; ++k) {
    const double before = std::sqrt(dot(columns[k], columns[k]));
    for (size_t j = 0; j < k; ++j) {
      triangle[j][k] = dot(columns[j], columns[k]);
      for (size_t row = 0; row < rows.size(); ++row)
        columns[k][row] -= triangle[j][k] * columns[j][row];
    }
    const double length = std::sqrt(dot(columns[k], columns[k]));
    constexpr double kAlike = 1e-6; // as a share: below it rounding says which factor is which
    if (!(length > kAlike * before))
      return std::nullopt;
    for (double &entry : columns[k])
      entry /= length;
    triangle[k][k] = length;
    right[k] = dot(columns[k], ones);
  }
  LinearFit fit;
  fit.factors.resize(factors);
  for (size_t k = factors; k-- > 0;) {
    double rest = right[k];
    for (size_t j = k + 1; j < factors; ++j)
      rest -= triangle[k][j] * fit.factors[j];
    fit.factors[k] = rest / triangle[k][k];
  }
  double squares = 0;
  for (size_t row = 0; row < rows.size(); ++row) {
    const double error = dot(rows[row], fit.factors) / values[row] - 1;
    squares += error * error;
  }
  fit.residual = std::sqrt(squares / double(rows.size()));
  return fit;
}

/// The argument from `least` to `most` for which `cost` is least, its steps growing by a factor:
/// first coarsely over all, then around the best of them.
template <class Cost> static double minimise(double least, double most, Cost cost) {
  constexpr int kSteps = 60, kRounds = 4;
  double best = least;
  for (int round = 0; round < kRounds; ++round) {
    const double factor = std::pow(most / least, 1.0 / kSteps);
    double lowest = INFINITY;
    for (int step = 0; step <= kSteps; ++step)
      if (const double at = least * std::pow(factor, step), found = cost(at); found < lowest) {
        lowest = found;
        best = at;
      }
    least = std::max(least, best / factor);
    most = std::min(most, best * factor);
  }
  return best;
}

std::optional<SaturationFit> fitSaturation(ArrayRef<StreamPoint> points) {
  if (points.empty())
    return std::nullopt;
  const bool marches = any_of(points, [](const StreamPoint &p) { return p.turns > 1; });
  std::vector<double> values;
  for (const StreamPoint &point : points)
    values.push_back(point.secondsPerByte);
  const auto at = [&](double scale) {
    std::vector<std::vector<double>> rows;
    for (const StreamPoint &point : points) {
      const double filled = 1 - std::exp(-point.inFlight / scale);
      rows.push_back({1 / filled});
      if (marches)
        rows.back().push_back(std::log2(std::max(1.0, point.turns)) / filled);
    }
    return fitLinear(rows, values);
  };
  const auto [least, most] = std::minmax_element(
      points.begin(), points.end(),
      [](const StreamPoint &l, const StreamPoint &r) { return l.inFlight < r.inFlight; });
  const double scale = minimise(least->inFlight / 10, most->inFlight * 10, [&](double scale) {
    const std::optional<LinearFit> fit = at(scale);
    return fit ? fit->residual : INFINITY;
  });
  const std::optional<LinearFit> fit = at(scale);
  if (!fit || fit->factors[0] <= 0 || least->inFlight > scale || most->inFlight < 2 * scale)
    return std::nullopt;
  return SaturationFit{1 / fit->factors[0], scale, marches ? fit->factors[1] / fit->factors[0] : 0,
                       fit->residual};
}

std::optional<CapacityFit> fitCapacity(ArrayRef<WindowPoint> points) {
  if (points.empty())
    return std::nullopt;
  unsigned kinds = 0;
  double least = INFINITY, most = 0;
  std::vector<double> values;
  for (const WindowPoint &point : points) {
    kinds = std::max(kinds, point.kind + 1);
    least = std::min(least, point.window);
    most = std::max(most, point.window);
    values.push_back(point.seconds);
  }
  const auto at = [&](double capacity, double softness) {
    std::vector<std::vector<double>> rows;
    for (const WindowPoint &point : points) {
      rows.emplace_back(2 * kinds);
      rows.back()[2 * point.kind] = 1;
      rows.back()[2 * point.kind + 1] = 1 - keptReuse(point.window, capacity, softness);
    }
    return fitLinear(rows, values);
  };
  const auto residual = [&](double capacity, double softness) {
    const std::optional<LinearFit> fit = at(capacity, softness);
    return fit ? fit->residual : INFINITY;
  };
  constexpr double kSharpest = 0.02, kSoftest = 4;
  const auto softnessAt = [&](double capacity) {
    return minimise(kSharpest, kSoftest,
                    [&](double softness) { return residual(capacity, softness); });
  };
  const double capacity = minimise(
      least, most, [&](double capacity) { return residual(capacity, softnessAt(capacity)); });
  const double softness = softnessAt(capacity);
  const std::optional<LinearFit> fit = at(capacity, softness);
  if (!fit || capacity < 1.2 * least || capacity > most / 1.2)
    return std::nullopt;
  for (unsigned kind = 0; kind < kinds; ++kind) {
    constexpr double kShown = 0.1; // of the time: a fall by less is lost among other things
    if (fit->factors[2 * kind + 1] < kShown * fit->factors[2 * kind])
      return std::nullopt;
  }
  return CapacityFit{capacity, softness, fit->residual};
}

std::optional<double> plateau(ArrayRef<double> values, double tolerance) {
  for (size_t count = values.size(); count >= 3; --count) {
    const ArrayRef<double> beginning = values.take_front(count);
    const double level = median(beginning.vec());
    if (all_of(beginning, [&](double v) { return std::abs(v - level) <= tolerance * level; }))
      return level;
  }
  return std::nullopt;
}

std::optional<NormFit> fitNorm(ArrayRef<MixedPoint> points) {
  std::vector<MixedPoint> telling;
  for (const MixedPoint &point : points)
    if (point.one < 5 * point.other && point.other < 5 * point.one)
      telling.push_back(point);
  if (telling.size() < 2)
    return std::nullopt;
  const auto residual = [&](double p) {
    double squares = 0;
    for (const MixedPoint &point : telling) {
      const double more = std::max(point.one, point.other), less = std::min(point.one, point.other);
      const double error = more * std::pow(1 + std::pow(less / more, p), 1 / p) / point.both - 1;
      squares += error * error;
    }
    return std::sqrt(squares / double(telling.size()));
  };
  const double p = minimise(1, 40, residual);
  return NormFit{p, residual(p)};
}

std::optional<WaitFit> fitWaiting(ArrayRef<SharePoint> points) {
  if (points.size() < 4) // one more than what is looked for
    return std::nullopt;
  // Powers of the clocks are linear in those of `busy` and `alone`.
  const auto at = [&](double p) {
    std::vector<std::vector<double>> rows;
    std::vector<double> values;
    for (const SharePoint &point : points) {
      rows.push_back({1, std::pow(point.blocks, -p)});
      values.push_back(std::pow(point.clocks, p));
    }
    std::optional<LinearFit> fit = fitLinear(rows, values);
    if (fit)
      fit->residual /= p;
    return fit && fit->factors[0] > 0 && fit->factors[1] > 0 ? fit : std::nullopt;
  };
  constexpr double kSharpest = 16;
  const double p = minimise(1, kSharpest, [&](double p) {
    const std::optional<LinearFit> fit = at(p);
    return fit ? fit->residual : INFINITY;
  });
  const std::optional<LinearFit> fit = at(p);
  if (!fit || fit->factors[1] < fit->factors[0])
    return std::nullopt;
  return WaitFit{std::pow(fit->factors[0], 1 / p), std::pow(fit->factors[1], 1 / p), p,
                 fit->residual};
}

} // namespace stencilc
