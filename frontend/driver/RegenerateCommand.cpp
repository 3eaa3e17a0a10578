// The command in the banner of what we write: short, and the same from every folder.
#include "frontend/driver/CommandLine.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace stencilc {

namespace {

/// `word` as a shell reads it back.
std::string quoted(StringRef word) {
  const auto plain = [](char c) { return isAlnum(c) || StringRef("_-+=.,:/@%").contains(c); };
  if (!word.empty() && all_of(word, plain))
    return word.str();
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string baseName(StringRef path) { return sys::path::filename(path).str(); }

StringRef spelling(Emit emit) {
  switch (emit) {
  case Emit::Ast:
    return "ast";
  case Emit::Stencil:
    return "stencil";
  case Emit::Schedule:
    return "schedule";
  case Emit::Kernel:
    return "kernel";
  case Emit::Traffic:
    return "traffic";
  case Emit::Prediction:
    return "prediction";
  case Emit::Cuda:
    return "cuda";
  case Emit::Header:
    return "header";
  case Emit::Interface:
    return "interface";
  case Emit::Main:
    return "main";
  case Emit::Values:
    return "values";
  }
  llvm_unreachable("all outputs are named");
}

/// Appends words in the order of the calls.
struct Words {
  std::string text = "stencilc";

  void add(StringRef word) { text += " " + quoted(word); }

  void addFiles(StringRef input, StringRef output) {
    add(baseName(input));
    if (output != "-") {
      add("-o");
      add(baseName(output));
    }
  }

  void addStencil(const CommandLine &line) {
    if (!line.name.empty())
      add("--name=" + line.name);
    if (line.real == ScalarType::F32)
      add("--real=f32");
    for (const auto &[name, value] : line.defines)
      add(fmt::format("-D{}={}", name, value));
  }

  void addSchedule(const ScheduleOptions &schedule) {
    if (schedule.text)
      add("--schedule=" + *schedule.text);
    if (schedule.variant)
      add("--variant=" + *schedule.variant);
    if (!schedule.block.empty())
      add(fmt::format("--block={}", fmt::join(schedule.block, "x")));
    if (schedule.chunk)
      add(fmt::format("--chunk={}", *schedule.chunk));
    if (schedule.fuse)
      add(fmt::format("--fuse={}", *schedule.fuse));
    if (schedule.unoptimized)
      add("-O0");
    if (schedule.tryAll)
      add("--try-all");
  }

  void addModel(const ModelOptions &model) {
    if (model.gpu != ModelOptions().gpu)
      add("--gpu=" + baseName(model.gpu));
    if (model.options.model)
      add(*model.options.model == Model::Su2015 ? "--model=su2015" : "--model=geometric");
    if (model.options.registers)
      add(fmt::format("--registers={}", *model.options.registers));
  }

  void addSizes(const CommandLine &line) {
    std::string list;
    for (const auto &[axis, points] : line.sizes)
      list += fmt::format("{}{}={}", list.empty() ? "" : ",", axis, points);
    if (!list.empty())
      add("--size=" + list);
  }

  void addReferenceRun(const CommandLine &line) {
    addSizes(line);
    if (line.steps != 1)
      add(fmt::format("--steps={}", line.steps));
    for (const auto &[array, file] : line.inputs)
      add(fmt::format("--input={}={}", array, baseName(file)));
  }
};

} // namespace

std::string CommandLine::regenerate(StringRef chosen) const {
  Words words;
  words.addFiles(input, output);
  if (emit != Emit::Cuda)
    words.add("--emit=" + spelling(emit).str());
  if (host)
    words.add("--target=host");
  words.addStencil(*this);
  if (chosen.empty())
    words.addSchedule(schedule);
  else
    words.add("--schedule=" + chosen.str());
  if (strict)
    words.add("--fp=strict");
  if (reassociates)
    words.add("--fp=reassociate");
  if (specialize)
    words.add("--specialize");
  if (printsOfModel())
    words.addModel(model);
  if (specialize || printsOfModel())
    words.addSizes(*this);
  if (printsOfModel() && asksSteps)
    words.add(fmt::format("--steps={}", steps));
  if (emit == Emit::Values)
    words.addReferenceRun(*this);
  return words.text;
}

std::string CommandLine::regenerateHeader(StringRef header) const {
  Words words;
  words.addFiles(input, header);
  words.add("--emit=header");
  words.addStencil(*this);
  return words.text;
}

} // namespace stencilc
