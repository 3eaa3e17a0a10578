// Renumbering: the buffers that a plan names, by other numbers.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

class Renumbering {
public:
  /// By old number.
  explicit Renumbering(std::vector<unsigned> numbers) : numbers(std::move(numbers)) {}

  void apply(Plan &plan) const;
  void apply(Pass &pass) const;
  void apply(Actions &actions) const;

private:
  void change(unsigned &buffer) const { buffer = numbers[buffer]; }
  void apply(Launch &launch) const;
  void apply(Rename &rename) const;
  void apply(When &when) const;
  void apply(FirstPasses &) const {}
  void apply(Aligned &aligned) const;
  void apply(Away &away) const { change(away.buffer); }
  void apply(Wanted &wanted) const { change(wanted.buffer); }
  void apply(HasPoints &) const {}
  void apply(WholePieces &) const {}
  void apply(ShortAddresses &) const {}

  std::vector<unsigned> numbers;
};

} // namespace stencilc
