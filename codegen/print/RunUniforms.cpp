#include "codegen/print/RunUniforms.h"
#include "codegen/print/AbiNames.h"
#include "codegen/print/Layout.h"
#include "ir/kernel/ValueTypes.h"

#include <fmt/format.h>

namespace stencilc {

/// Marks the uniforms that `value` is computed from.
static void markUses(const Value &value, std::vector<bool> &needed) {
  if (const auto *node = std::get_if<UniformValue>(&value->node))
    needed[node->argument] = true;
  forEachOperand(*value, [&](const Value &operand) { markUses(operand, needed); });
}

RunUniforms::RunUniforms(const Program &program) {
  const Signature &signature = program.signature;
  std::vector<bool> needed(program.uniforms.size());
  forEachLaunchOf(program.plan, [&](const Launch &launch) {
    for (unsigned uniform : program.kernels[launch.kernel].uniforms)
      needed[uniform] = true;
  });
  for (unsigned number = needed.size(); number-- > 0;)
    if (needed[number])
      markUses(program.uniforms[number].value, needed);

  // What heat_run names itself, and the functions it calls.
  for (const char *word : {"args", "steps", "stream", "state", "step", "status", "launched",
                           "check", "swap", "int64_t", "workspace", "workspace_bytes", "room"})
    taken.reserve(word);
  for (const Kernel &kernel : program.kernels)
    taken.reserve(kernel.name);
  for (const std::string &axis : signature.axes)
    taken.reserve("n" + axis);
  for (unsigned number = 0; number < needed.size(); ++number) {
    const Uniform &uniform = program.uniforms[number];
    const auto *param = std::get_if<ParamLeaf>(&uniform.value->node);
    names.push_back(!needed[number] ? ""
                    : param         ? "args->" + signature.params[param->param].name
                                    : taken.fresh(uniform.name));
  }
}

std::string defineUniforms(const Program &program, const RunUniforms &uniforms,
                           ExpressionPrinter &expressions) {
  std::string out;
  for (unsigned number = 0; number < uniforms.names.size(); ++number) {
    const Uniform &uniform = program.uniforms[number];
    if (uniforms.names[number].empty() || std::holds_alternative<ParamLeaf>(uniform.value->node))
      continue;
    const std::string target =
        fmt::format("const {} {}", typeName(uniform.type).str(), uniforms.names[number]);
    const std::string text = expressions.value(uniform.value).text;
    std::optional<std::string> lines = layOutAssignment(target, text, 2);
    out += lines ? *lines : fmt::format("  {} = {};\n", target, flat(text));
  }
  if (out.empty())
    return out;
  return "\n  // Numbers that stay the same for the whole run.\n" + out;
}

} // namespace stencilc
