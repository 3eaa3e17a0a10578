// Prototype: how the lifted function is called from C or C++.
#pragma once

#include "frontend/lift/LoopTree.h"

#include "clang/AST/Decl.h"

namespace stencilc::lift {

/// A text that takes the place of another one in a file.
struct Edit {
  unsigned begin, end; ///< of that one
  std::string text;
  bool operator==(const Edit &) const = default;
};

struct Prototype {
  struct Argument {
    enum class Kind {
      Whole,
      Number,
      Pointer,       ///< to elements, or rows of them
      WholePointer,  ///< `int *`
      ObjectPointer, ///< to a struct that can be made without a constructor
      Vector,
      VectorOfVectors, ///< to any depth
      Object,          ///< of a class of C++, by value, reference or pointer
      Memory,          ///< an array of a program, handed over as a pointer and its bytes
      Other
    };
    std::string name;
    std::string
        type; ///< as it is declared; of pointers in C, one to elements; of objects the class
    Kind kind;
    bool isPointer = false;   ///< to an object
    bool isOfStructs = false; ///< it points to an array of structs
  };
  /// The argument that a member or an element belongs to: `s` of `s->nx`, `n` of `*n`.
  const Argument *ownerOf(llvm::StringRef name) const;
  std::string name, result;
  std::vector<Argument> arguments;
  bool isCPlusPlus = false;
  bool isStatic = false;   ///< no other file can call it or take its place
  bool isTemplate = false; ///< made of one
  bool isMain = false;
  /// Texts of the file with which its loop over time makes as many turns as `kTurnsLeft` says,
  /// where the data ends it; empty if there are none.
  std::vector<Edit> edits;
  /// Of `main`: a function `lift_loops` that takes `arguments`, or why there is none.
  std::string loops, whyNoLoops;
  bool isMember = false;           ///< of an object
  std::string owner;               ///< the class of that object
  std::vector<std::string> fields; ///< of that class
  /// It stands in the file without a function around it: the file, with a function whose arguments
  /// are what the fragment declares and does not set.
  std::string fragment;

  const Argument *find(llvm::StringRef name) const;
  bool isField(llvm::StringRef name) const;
  bool isVectorOfVectors(llvm::StringRef name) const;
};

/// With its namespaces, and the arguments of a template: `physics::f<float>`.
std::string fullName(const clang::FunctionDecl &function);

Prototype prototypeOf(const clang::FunctionDecl &function, const clang::ASTContext &context);

} // namespace stencilc::lift
