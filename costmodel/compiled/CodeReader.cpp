#include "costmodel/compiled/CodeReader.h"

using namespace stencilc;

InstructionMix CodeReader::of(CodeMix mix, double times) {
  usedValues.set(unsigned(mix));
  return InstructionMix().add(table[mix], times);
}

double CodeReader::of(CodeNumber number) {
  usedValues.set(kCodeMixes + unsigned(number));
  return table[number];
}

InstructionMix stencilc::of(Pipe pipe, double count) {
  InstructionMix mix;
  mix[pipe] = count;
  return mix;
}
