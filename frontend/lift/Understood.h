// Understood: a function with all that was found out about it.
#pragma once

#include "frontend/lift/Build.h"
#include "frontend/lift/Prototype.h"

namespace stencilc::lift {

struct Understood {
  Prototype prototype;
  LoopTree tree;
  Grid grid;
  Lifted lifted;
};

} // namespace stencilc::lift
