// A program of the language as a tree that prints to .stn text: what the generator makes and the
// shrinker cuts. Nodes are plain values, so that a cut is an assignment.
//
// It knows spelling only. What a program means, and whether it is legal, is for the front end to
// say.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc::fuzz {

/// One entry of an access: `x-1`, `t+1`, `x+p`, `x-2*p+1` (p: the index of a sum).
struct SourceShift {
  std::string axis;
  int offset = 0;
  std::string index = {}; ///< of an enclosing sum; none: the offset alone
  int factor = 1;         ///< of the index
};

struct SourceSumIndex {
  std::string name;
  int low, high;
};

struct SourceExpr {
  enum Kind {
    Number,    ///< text: the literal
    Access,    ///< text: a param, let, array, axis or `t`, with shifts; `isNext` adds the prime
    Unary,     ///< text: the operator
    Binary,    ///< text: the operator
    Call,      ///< text: the function, of the language or a let with parameters
    Sum,       ///< of its one operand over indices
    Difference ///< text: laplace, diff or diff2 of the operand, along `axis`, of `order`
  };
  Kind kind = Number;
  std::string text = "0";
  std::vector<SourceExpr> operands = {};
  std::vector<SourceShift> shifts = {};
  bool isNext = false;
  std::vector<SourceSumIndex> indices = {};
  std::string axis = {};
  int order = 2;
};

SourceExpr number(std::string text);
SourceExpr name(std::string text);
SourceExpr unary(std::string op, SourceExpr operand);
SourceExpr binary(std::string op, SourceExpr left, SourceExpr right);
SourceExpr call(std::string function, std::vector<SourceExpr> operands);

struct SourceBoundary {
  BoundaryKind kind = BoundaryKind::None;
  SourceExpr value = {};   ///< `Value` only
  std::string factor = {}; ///< of a mirror; empty: none is written
};

struct SourceArray {
  std::string name;
  ArrayKind kind = ArrayKind::Field;
  std::string type;                      ///< "f32", "f64" or "real"
  llvm::SmallVector<unsigned> axes = {}; ///< numbers of the axes it has, slowest first
  bool isOverTime = false;               ///< a const array with a value a step, without axes
  std::array<std::array<SourceBoundary, 2>, kMaxRank> boundary = {};
};

struct SourceParam {
  std::string name;
  std::string type;         ///< "f32", "f64", "real" or "int"
  std::string defaultValue; ///< empty: none

  bool isWhole() const { return type == "int"; }
};

/// `let name(parameters) = expr`, a function if there are any; or, in a stage,
/// `name' on region = expr`.
struct SourceAssignment {
  std::string name;
  SourceExpr expr;
  std::vector<std::string> parameters = {};
  std::vector<std::string> region = {}; ///< slices, such as "x[1:n-1]"; none: the whole grid
};

struct SourceReduction {
  std::string op, name;
  std::vector<std::string> region;
  SourceExpr expr;
};

struct SourceProgram {
  std::string name;
  std::vector<std::string> axes; ///< slowest first
  std::vector<SourceArray> arrays;
  std::vector<SourceParam> params;
  std::vector<SourceAssignment> lets;
  std::vector<std::vector<SourceAssignment>> stages; ///< of updates
  std::vector<SourceReduction> reductions;
  bool writesStages = false; ///< `stage { }` is written even if there is one only
};

void print(llvm::raw_ostream &out, const SourceExpr &expr);
void print(llvm::raw_ostream &out, const SourceProgram &program);
std::string toText(const SourceProgram &program);

} // namespace stencilc::fuzz
