// The C interface as data, for programs that build its structs by themselves.
#include "codegen/print/Print.h"

#include "llvm/Support/JSON.h"

namespace stencilc {

static void printArray(llvm::json::OStream &json, const Signature &signature,
                       const SignatureArray &array) {
  json.attribute("name", array.name);
  json.attribute("type", spelling(array.type));
  json.attribute("field", array.isField());
  json.attributeArray("axes", [&] {
    for (unsigned axis : array.axes)
      json.value(signature.axes[axis]);
  });
  // Points in front of and behind each of its axes.
  json.attributeArray("ghost", [&] {
    for (unsigned axis : array.axes)
      json.array([&] {
        json.value(array.ghost[axis][Low]);
        json.value(array.ghost[axis][High]);
      });
  });
  json.attribute("previous", array.hasPrevious);
  json.attribute("next", array.hasNext);
  json.attribute("over_time", array.overTime.has_value());
}

void printInterfaceJson(llvm::raw_ostream &out, const Signature &signature) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("version", 1);
    json.attribute("stencil", signature.name);
    json.attributeArray("axes", [&] {
      for (const std::string &axis : signature.axes)
        json.value(axis);
    });
    json.attribute("step", signature.countsSteps);
    json.attributeArray("arrays", [&] {
      for (const SignatureArray &array : signature.passed())
        json.object([&] { printArray(json, signature, array); });
    });
    json.attributeArray("reductions", [&] {
      for (const std::string &result : signature.results)
        json.value(result);
    });
    json.attributeArray("params", [&] {
      for (const SignatureParam &param : signature.params)
        json.object([&] {
          json.attribute("name", param.name);
          json.attribute("type", spelling(param.type));
          json.attribute("has_default", param.defaultValue.has_value());
        });
    });
  });
  out << "\n";
}

} // namespace stencilc
