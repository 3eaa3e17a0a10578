// Points: where the points of an array lie in memory, and their values on the host.
#pragma once

#include "runtime/Npy.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

/// Per axis, slowest first: points, ghost points at each end, elements from one to the next.
struct Layout {
  std::vector<int64_t> extents, low, high, strides;
  int64_t lead = 0;     ///< elements before point (0,0,0)
  int64_t elements = 0; ///< in all

  bool empty() const { return std::count(extents.begin(), extents.end(), 0) > 0; }
};

/// Prints when arrays are larger than any memory: no size that follows from smaller ones overflows,
/// whatever the number of arrays. `ghosts` counts the ghost points at both ends, per axis.
inline bool checkSizes(const std::vector<int64_t> &extents, const std::vector<int64_t> &ghosts,
                       int64_t pitch, int64_t pad) {
  constexpr double kLine = 128, kMostElements = 1e14;
  double elements = 1;
  for (size_t axis = 0; axis < extents.size(); ++axis)
    elements *= double(extents[axis]) + ghosts[axis] + 1 +
                (axis + 1 == extents.size() ? double(pitch) + kLine : 0);
  elements += double(pad);
  if (elements > kMostElements)
    std::fprintf(stderr,
                 "arrays of %.3g elements are too large: choose smaller extents, pad or pitch\n",
                 elements);
  return elements <= kMostElements;
}

/// Adds `pitch` elements to each row and `pad` elements before the first point; an array without
/// points stays as it is.
inline void widen(Layout &layout, int64_t pitch, int64_t pad) {
  if (layout.empty())
    return;
  layout.lead += pad;
  layout.elements += pad;
  // All slower strides count whole rows, so each grows in proportion.
  const size_t last = layout.extents.size() - 1;
  const int64_t row = last == 0 ? 1 : layout.strides[last - 1];
  for (size_t axis = 0; axis < last; ++axis) {
    const int64_t growth = layout.strides[axis] / row * pitch;
    layout.strides[axis] += growth;
    layout.lead += layout.low[axis] * growth;
    layout.elements += (layout.low[axis] + layout.extents[axis] + layout.high[axis]) * growth;
  }
}

/// An array without padding.
inline Layout dense(std::vector<int64_t> extents, std::vector<int64_t> low,
                    std::vector<int64_t> high) {
  Layout layout{extents, low, high, extents, 0, 1};
  for (size_t axis = extents.size(); axis-- > 0;) {
    layout.strides[axis] = layout.elements;
    layout.lead += low[axis] * layout.elements;
    layout.elements *= low[axis] + extents[axis] + high[axis];
  }
  return layout;
}

/// The same memory for an array with other ghost points.
inline Layout withGhosts(Layout layout, std::vector<int64_t> low, std::vector<int64_t> high) {
  layout.low = low;
  layout.high = high;
  return layout;
}

/// An array on the host. Points start as 0; what lies between them is NaN, so that it shows.
template <class T> struct Points {
  Layout layout;
  std::vector<T> values;

  explicit Points(const Layout &layout)
      : layout(layout),
        values(std::max<int64_t>(layout.elements, 1), std::numeric_limits<T>::quiet_NaN()) {
    forEachRow(true, [](T *row, int64_t length) { std::fill_n(row, length, T(0)); });
  }

  T &at(std::initializer_list<int64_t> index) {
    int64_t position = layout.lead;
    for (size_t axis = 0; axis < index.size(); ++axis)
      position += index.begin()[axis] * layout.strides[axis];
    return values[position];
  }

  /// Extents, with or without the ghost points.
  std::vector<int64_t> shape(bool ghosts) const {
    std::vector<int64_t> shape = layout.extents;
    for (size_t axis = 0; ghosts && axis < shape.size(); ++axis)
      shape[axis] += layout.low[axis] + layout.high[axis];
    return shape;
  }

  /// Calls visit(first element, length) for each row, in C order.
  template <class Visit> void forEachRow(bool ghosts, Visit visit) {
    if (layout.empty())
      return;
    const std::vector<int64_t> counts = shape(ghosts);
    const size_t last = counts.size() - 1;
    int64_t rows = 1;
    for (size_t axis = 0; axis < last; ++axis)
      rows *= counts[axis];
    for (int64_t row = 0; row < rows; ++row) {
      int64_t position = layout.lead - (ghosts ? layout.low[last] : 0);
      int64_t rest = row;
      for (size_t axis = last; axis-- > 0;) {
        const int64_t index = rest % counts[axis] - (ghosts ? layout.low[axis] : 0);
        position += index * layout.strides[axis];
        rest /= counts[axis];
      }
      visit(&values[position], counts[last]);
    }
  }
};

/// Takes the points from a .npy file with exactly the extents, or with the ghost points around
/// them. Does nothing without a path; prints what is wrong.
template <class T> bool load(const std::string &path, Points<T> &points) {
  if (path.empty())
    return true;
  std::vector<int64_t> shape;
  std::vector<T> values;
  std::string problem = npy::read(path, shape, values);
  const bool ghosts = shape != points.shape(false);
  if (problem.empty() && ghosts && shape != points.shape(true))
    problem = "has shape " + npy::shapeText(shape) + " where " +
              npy::shapeText(points.shape(false)) + " or, with ghost points, " +
              npy::shapeText(points.shape(true)) + " is needed";
  if (!problem.empty()) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), problem.c_str());
    return false;
  }
  const T *next = values.data();
  points.forEachRow(ghosts, [&](T *row, int64_t length) {
    std::copy_n(next, length, row);
    next += length;
  });
  return true;
}

/// Takes an array over time from a .npy file with one axis, however many values that has. Does
/// nothing without a path; prints what is wrong.
template <class T> bool loadSeries(const std::string &path, Points<T> &points) {
  if (path.empty())
    return true;
  std::vector<int64_t> shape;
  std::vector<T> values;
  std::string problem = npy::read(path, shape, values);
  if (problem.empty() && shape.size() != 1)
    problem = "has shape " + npy::shapeText(shape) + " where one axis is needed";
  if (!problem.empty()) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), problem.c_str());
    return false;
  }
  points = Points<T>(dense(shape, {0}, {0}));
  std::copy(values.begin(), values.end(), points.values.begin());
  return true;
}

/// Writes the points, without ghost points. Does nothing without a path; prints what is wrong.
template <class T> bool store(const std::string &path, Points<T> &points) {
  if (path.empty())
    return true;
  std::vector<T> values;
  points.forEachRow(
      false, [&](T *row, int64_t length) { values.insert(values.end(), row, row + length); });
  const std::string problem = npy::write(path, points.shape(false), values);
  if (!problem.empty())
    std::fprintf(stderr, "%s: %s\n", path.c_str(), problem.c_str());
  return problem.empty();
}
