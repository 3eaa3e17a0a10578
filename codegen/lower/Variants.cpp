#include "codegen/lower/Lower.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

#define VARIANT(object) extern const Variant object;
#include "codegen/lower/Variants.def"
#undef VARIANT

llvm::ArrayRef<Variant> variants() {
  static const Variant all[] = {
#define VARIANT(object) object,
#include "codegen/lower/Variants.def"
#undef VARIANT
  };
  return all;
}

std::vector<const Variant *> variantsFor(const Stencil &written) {
  const Stencil stencil = llvm::cantFail(formFor(written, {})).stencil;
  std::vector<const Variant *> able;
  for (const Variant &variant : variants())
    if (!errorToBool(variant.checkLegal(stencil, variant.defaultSchedule(stencil))))
      able.push_back(&variant);
  return able;
}

std::vector<llvm::StringRef> namesOf(llvm::ArrayRef<VariantFlag> flags) {
  std::vector<llvm::StringRef> names;
  for (const VariantFlag &flag : flags)
    names.push_back(flag.name);
  return names;
}

const Variant *findVariant(llvm::StringRef name) {
  auto found = llvm::find_if(variants(), [&](const Variant &v) { return v.name == name; });
  return found == variants().end() ? nullptr : &*found;
}

bool fuses(const Schedule &schedule) {
  const Variant *variant = findVariant(schedule.variant);
  return variant && variant->fuses;
}

} // namespace stencilc
