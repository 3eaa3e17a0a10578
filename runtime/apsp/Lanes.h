// How a kernel computes with words: one element each, or two where an element has 16 bits.
//
// Lanes<Semiring, T, range> holds
//   Word, perWord        the word, and the elements in it
//   extend(a, b)         weights joined, NOT settled: right as far as `Algebra::settle` makes it so
//   select(a, b)         the better one, element by element
//   extendTwice(slot, c, a0, b0, a1, b1, one)
//                        the best of c, extend(a0, b0) and extend(a1, b1); `slot` lets neighbouring
//                        accumulators use different pipes of the machine; `one` is 1
//   settle(w)            a word of best sums, where a distance was among what was selected from
//   leftFactor(v)        an element as a word of the left factor of a product (in every place of
//                        the word)
//   rightFactor(v, k)    as a word of the right factor, in the row of the block's pivot k; not for
//                        two elements in a word, which stand there as they are
//   constantWords        constants that the product wants after each pivot's part of a factor
//   extendInOrder(a, b)  as extend, for elements; right as operand of the next one
//   best(a, b)           the better of two elements
//
// Minima of sums are where the time goes, so each has the form that this machine runs fastest. A
// float that is not negative orders as its bits do, which lends it the integer minimum of three.
#pragma once

#include "Algebra.h"
#include "Intrinsics.h"

namespace stencilc::apsp::device {

template <class Semiring, class T, WeightRange range> struct Lanes {
  using A = Algebra<Semiring, T>;
  using Value = T;
  using Word = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  static constexpr int perWord = sizeof(Word) / sizeof(T);
  static constexpr bool isMinPlus = std::is_same_v<Semiring, MinPlus>;
  static constexpr bool isMaxPlus = std::is_same_v<Semiring, MaxPlus>;
  static constexpr bool isOrAnd = std::is_same_v<Semiring, OrAnd>;
  static constexpr bool isInt32 = std::is_same_v<T, int32_t>;
  static constexpr bool isFloating = std::is_floating_point_v<T>;

  static constexpr bool onTensorCores = range == WeightRange::Below22Bits;
  static constexpr bool packsPivots = false;

  STENCILC_APSP_DEVICE static Word inEveryPlace(T value) {
    if constexpr (perWord == 2)
      return uint32_t(uint16_t(value)) * 0x10001u;
    else
      return bitCast<Word>(value);
  }
  static constexpr int constantWords = onTensorCores ? 8 : 0;
  STENCILC_APSP_DEVICE static Word leftFactor(T value) {
    if constexpr (onTensorCores)
      return value >= (1 << 22) ? infinityInHalves : packHalves(value >> 11, value & 2047);
    else
      return inEveryPlace(value);
  }
  STENCILC_APSP_DEVICE static Word rightFactor(T value, int) { return leftFactor(value); }
  /// Whether a distance is too large for its factor.
  STENCILC_APSP_DEVICE static bool saturates(T value) {
    return onTensorCores && value >= T(1 << 22) && value != A::zero();
  }

  STENCILC_APSP_DEVICE static T element(Word word, int index) {
    if constexpr (perWord == 2)
      return static_cast<T>(word >> (16 * index));
    else
      return bitCast<T>(word);
  }
  STENCILC_APSP_DEVICE static Word withElement(Word word, int index, T value) {
    if constexpr (perWord == 2)
      return selectBits(0xffffu << (16 * index), inEveryPlace(value), word);
    else
      return inEveryPlace(value);
  }

  STENCILC_APSP_DEVICE static Word select(Word a, Word b) {
    if constexpr (isOrAnd)
      return a | b;
    else
      return extremum<isMinPlus>(a, b);
  }
  STENCILC_APSP_DEVICE static Word extend(Word a, Word b) {
    if constexpr (isOrAnd)
      return a & b;
    else if constexpr (!isMinPlus && !isMaxPlus)
      return extremum<true>(a, b);
    else if constexpr (isFloating)
      return bitCast<Word>(bitCast<T>(a) + bitCast<T>(b));
    else if constexpr (perWord == 2)
      return ((a & 0xffffu) + b & 0xffffu) | ((a & 0xffff0000u) + (b & 0xffff0000u));
    else
      return a + b;
  }

  STENCILC_APSP_DEVICE static Word settle(Word word) {
    if constexpr ((isMinPlus || isMaxPlus) && std::is_integral_v<T> && std::is_signed_v<T>) {
      Word settled = inEveryPlace(A::settle(element(word, 0)));
      if constexpr (perWord == 2)
        settled = withElement(settled, 1, A::settle(element(word, 1)));
      return settled;
    } else {
      return word; // sums beyond infinity were no better than the distance
    }
  }

  STENCILC_APSP_DEVICE static Word extendTwice(int slot, Word c, Word a0, Word b0, Word a1, Word b1,
                                               uint32_t one) {
    // Every second accumulator uses add-min, the others sums on the multiplier: neither pipe alone
    // would do as much.
    if constexpr (isMinPlus && std::is_same_v<T, float> && range != WeightRange::Any) {
      return minOf3(extend(a0, b0), extend(a1, b1), c);
    } else if constexpr (isMinPlus && isInt32) {
      if (slot % 2 == 0)
        return addMin(a1, b1, addMin(a0, b0, c));
      return minOf3(addOnMultiplier(a0, b0, one), addOnMultiplier(a1, b1, one), c);
    } else if constexpr (isMaxPlus && isInt32) {
      if (slot % 2 == 0)
        return addMax(a1, b1, addMax(a0, b0, c));
      return maxOf3(addOnMultiplier(a0, b0, one), addOnMultiplier(a1, b1, one), c);
    } else if constexpr (isMinPlus && std::is_same_v<T, uint16_t>) {
      // Elements have 15 bits, so that no sum carries into its neighbour.
      if (slot % 2 == 0)
        return addMinU16x2(a1, b1, addMinU16x2(a0, b0, c));
      return minOf3U16x2(addOnMultiplier(a0, b0, one), addOnMultiplier(a1, b1, one), c);
    } else if constexpr (isMinPlus && std::is_same_v<T, int16_t>) {
      return addMinS16x2(a1, b1, addMinS16x2(a0, b0, c));
    } else if constexpr (isMaxPlus && std::is_same_v<T, int16_t>) {
      return addMaxS16x2(a1, b1, addMaxS16x2(a0, b0, c));
    } else {
      return select(select(c, extend(a0, b0)), extend(a1, b1));
    }
  }

  STENCILC_APSP_DEVICE static T best(T a, T b) {
    if constexpr (isFloating)
      return isMinPlus ? least(a, b) : greatest(a, b);
    else
      return A::better(b, a) ? b : a;
  }
  STENCILC_APSP_DEVICE static T extendInOrder(T a, T b) {
    if constexpr (isMinPlus && std::is_unsigned_v<T>) {
      return T(a + b); // infinity plus something is no less than infinity
    } else if constexpr (isMinPlus && isInt32 && range != WeightRange::Any) {
      return a + b; // and what has reached the limit stays there
    } else {
      return A::extend(a, b);
    }
  }

private:
  /// 32768 and 0: 2^26, above every sum of two factors.
  static constexpr uint32_t infinityInHalves = 0x7800u;

  template <bool minimum> STENCILC_APSP_DEVICE static Word extremum(Word a, Word b) {
    if constexpr (isFloating)
      return bitCast<Word>(minimum ? least(bitCast<T>(a), bitCast<T>(b))
                                   : greatest(bitCast<T>(a), bitCast<T>(b)));
    else if constexpr (std::is_same_v<T, uint16_t>)
      return minimum ? minU16x2(a, b) : maxU16x2(a, b);
    else if constexpr (std::is_same_v<T, int16_t>)
      return minimum ? minS16x2(a, b) : maxS16x2(a, b);
    else
      return minimum ? min(int32_t(a), int32_t(b)) : max(int32_t(a), int32_t(b));
  }
};

/// Weights and distances in [0, 2^22) with the number of a pivot, of 2^pivotBits, in the lowest
/// bits of the right factor: the least word is the least sum through the first of its pivots.
template <int pivotBits> struct PackedLanes : Lanes<MinPlus, int32_t, WeightRange::NonNegative> {
  static_assert(pivotBits <= 7, "a sum of infinities has 25 bits");
  static constexpr bool packsPivots = true;

  STENCILC_APSP_DEVICE static uint32_t leftFactor(int32_t value) {
    return (value >= (1 << 22) ? infinity : uint32_t(value)) << pivotBits;
  }
  STENCILC_APSP_DEVICE static uint32_t rightFactor(int32_t value, int pivot) {
    return leftFactor(value) | uint32_t(pivot);
  }
  STENCILC_APSP_DEVICE static bool saturates(int32_t value) {
    return value >= (1 << 22) && value != A::zero();
  }
  STENCILC_APSP_DEVICE static int32_t sumOf(uint32_t word) {
    const uint32_t sum = word >> pivotBits;
    return sum >= infinity ? A::zero() : int32_t(sum);
  }
  STENCILC_APSP_DEVICE static int pivotOf(uint32_t word) { return word & ((1 << pivotBits) - 1); }

  STENCILC_APSP_DEVICE static uint32_t extendTwice(int slot, uint32_t c, uint32_t a0, uint32_t b0,
                                                   uint32_t a1, uint32_t b1, uint32_t one) {
    if (slot % 2 == 0)
      return addMinUnsigned(a1, b1, addMinUnsigned(a0, b0, c));
    return minOf3Unsigned(addOnMultiplier(a0, b0, one), addOnMultiplier(a1, b1, one), c);
  }

private:
  static constexpr uint32_t infinity = 1 << 23; ///< above every sum of two factors
};

} // namespace stencilc::apsp::device
