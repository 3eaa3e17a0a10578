// Subjects: the right Programs that mutations are made of, and the sizes and data they run on.
#pragma once

#include "test/programs/HandBuilt.h"

namespace stencilc::mutation {

struct Subject {
  std::string variant, stencilName;
  Stencil stencil;
  Program program;
  /// Extents, data and memory; together with what the reference makes of them.
  std::vector<fuzz::Case> cases;
  std::vector<fuzz::Reference> references; ///< one per case
  bool isCostly = false; ///< has many mutations: a sample of them, unless all are asked for
  llvm::ArrayRef<HandBuilt::Fault> faults; ///< those that it takes; empty: every one
};

/// Every variant on a few stencils that have all kinds of boundaries between them, with blocks and
/// chunks small enough for small grids; and a program with a shared tile, built for this test; and
/// the programs of test/programs that take faults.
std::vector<Subject> subjects();

/// The subject on further grids: of as many points along each axis as one or two blocks have, and a
/// few more; any two axes in all combinations, on rows that are aligned and that are not. They take
/// long: for what no other grid shows.
Subject onMoreGrids(const Subject &subject);

/// Lowers a stencil on two axes with one field, every value read through a tile that the threads of
/// a block fill together: what no variant does yet, so that barriers and tiles are mutated too.
extern const Variant tiledVariant;

} // namespace stencilc::mutation
