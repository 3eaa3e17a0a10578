// What indices and values of a text are called.
#include "codegen/print/KernelPrinter.h"

namespace stencilc {

void nameGrid(LeafNames &names, const std::vector<std::string> &axes,
              const GridPrefixes &prefixes) {
  for (const std::string &axis : axes) {
    names.extents.push_back(prefixes.extents + "n" + axis);
    names.strides.push_back(prefixes.strides + "stride_" + axis);
    names.rows.push_back(prefixes.rows + "row_" + axis);
  }
}

LeafNames leafNames(const Program &program, const Kernel &kernel, const FileNames &file,
                    unsigned number) {
  LeafNames names;
  nameGrid(names, kernel.axes, {});
  if (!file.extents.empty())
    names.extents = file.extents;
  names.constants = file.constants[number];
  names.numbers = file.numbers;
  names.locals = kernel.locals;
  for (const IntegerArgument &integer : kernel.integers)
    names.integers.push_back(integer.name);
  for (const ArrayArgument &array : kernel.arrays)
    names.arrays.push_back(array.name);
  for (unsigned uniform : kernel.uniforms)
    names.uniforms.push_back(program.uniforms[uniform].name);
  for (const Register &reg : kernel.registers)
    names.registers.push_back(reg.name);
  for (const Queue &queue : kernel.queues)
    names.queues.push_back(queue.slots);
  for (const SharedTile &tile : kernel.tiles)
    names.tiles.push_back(tile.name);
  for (const Patch &patch : kernel.patches)
    names.patches.push_back(patch.name);
  return names;
}

} // namespace stencilc
