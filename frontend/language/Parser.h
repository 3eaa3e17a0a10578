// Parser: tokens to Ast, by recursive descent with two tokens of lookahead. The grammar:
//
//   file     = "stencil" NAME "(" names ")" "{" { item } "}"
//   item     = ( "field" | "temp" ) type names ";" | "const" type array { "," array } ";"
//            | "param" ( type | "int" ) param { "," param } ";" | boundary | let | update
//            | "init" NAME [ "[" "t" "-" "1" "]" ] "=" expr ";" | "stage" "{" { let | update } "}"
//            | "reduce" ( "min" | "max" | "sum" ) NAME [ on ] "=" expr ";"
//   names    = NAME { "," NAME }
//   type     = "f32" | "f64" | "real"
//   array    = NAME [ "(" names ")" ]
//   param    = NAME [ "=" expr ]
//   let      = "let" NAME [ "(" names ")" ] "=" expr ";"
//   update   = NAME "'" [ on ] "=" expr ";"
//   on       = "on" region { "," region }
//   region   = NAME "[" ( bound | [ bound ] ":" [ bound ] ) "]"
//   bound    = [ "-" ] INT | NAME [ ( "+" | "-" ) INT ]
//   boundary = "boundary" [ names ] ":" clause { "," clause } ";"
//   clause   = [ NAME [ "-" | "+" ] ] kind
//   kind     = "fixed" | "halo" | "clamp" | "periodic" | "value" "(" expr ")"
//            | ( "reflect" | "symmetric" ) [ "(" expr ")" ]
//   expr     = C's || && (== !=) (< <= > >=) (+ -) (* /) unary(- !), tightest last
//   primary  = NUMBER [ "f" ] | access | "(" expr ")" | NAME "(" arg { "," arg } ")"
//   access   = NAME [ "'" ] [ "[" shift { "," shift } "]" ]
//   shift    = NAME { ( "+" | "-" ) ( INT [ "*" NAME ] | NAME [ "*" INT ] ) }
//   arg      = expr | NAME "=" int [ ":" int ]
//   int      = [ "-" ] INT
//
// `on` is a word only there. The `f` of a number touches its digits.
//
// After a fault the parser goes on behind the next `;`, or before the next `}`.
#pragma once

#include "frontend/language/Ast.h"
#include "frontend/language/Diagnostics.h"

namespace stencilc {

/// Deepest tree of one expression, and deepest nesting of its parentheses: bounds the recursion of
/// all that walk it.
constexpr unsigned kMaxExpressionDepth = 1000;
/// Largest whole number in an offset, a range or an option.
constexpr int kMaxInteger = 1'000'000;

/// What could be read, errors being reported. None if that is nothing worth a second look.
std::optional<ast::File> parseFile(DiagnosticEngine &diagnostics);

/// Parses `text`, which belongs to `diagnostics`, as one expression. Null if an error was reported.
ast::ExprPtr parseExpression(DiagnosticEngine &diagnostics, llvm::StringRef text);

} // namespace stencilc
