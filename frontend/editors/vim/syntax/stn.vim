" Stencils: the .stn language of stencilc.
if exists("b:current_syntax")
  finish
endif

syntax keyword stnItem stencil field temp const param let boundary init stage reduce on
syntax keyword stnType f32 f64 real int
syntax keyword stnBoundary fixed halo clamp periodic reflect symmetric value
syntax keyword stnFunction where sum laplace diff diff2 sign min max abs sqrt exp
syntax keyword stnFunction log sin cos tanh pow floor tan asin acos atan atan2
syntax keyword stnFunction sinh cosh asinh acosh atanh exp2 expm1 log2 log10 log1p cbrt
syntax keyword stnFunction hypot erf erfc tgamma lgamma ceil round trunc rint fmod remainder
syntax keyword stnFunction fdim copysign fma

syntax match stnNumber "\<\d\+\.\?\d*\([eE][+-]\?\d\+\)\?f\?\>"
syntax match stnNumber "\.\d\+\([eE][+-]\?\d\+\)\?f\?\>"
syntax match stnPrime "\(\a\|_\)\w*'"
syntax match stnOperator "||\|&&\|[=!<>]=\|[-+*<>!=]\|/\ze[^/]"
syntax match stnComment "//.*$"
syntax match stnComment "#.*$"
syntax match stnLineMark "^\s*#line\s\+\d\+.*$"

highlight default link stnItem Keyword
highlight default link stnType Type
highlight default link stnBoundary Constant
highlight default link stnFunction Function
highlight default link stnNumber Number
highlight default link stnPrime Identifier
highlight default link stnOperator Operator
highlight default link stnComment Comment
highlight default link stnLineMark PreProc

let b:current_syntax = "stn"
