// Linked only: where it is tested there may be no GPU.
#include "heat.h"

#include <stencilc/apsp/Apsp.h>

int main() {
  heat_args args = heat_args_default();
  return heat_run(&args, 0, nullptr, 0, nullptr);
}
