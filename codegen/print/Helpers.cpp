#include "codegen/print/Helpers.h"

#include <fmt/format.h>

namespace stencilc {

namespace {

struct Definition {
  llvm::StringRef name;
  /// {0}: the name, {1}: what opens a function, {2}: the integer type, {3}: what two numbers make.
  const char *text;
};

// The order is that of ir/stencil/ReductionTree.h, and the same whatever is combined.
constexpr const char *kBlockTree =
    "// One number of those of a block's threads, which are combined half with half; the first "
    "thread\n"
    "// gets it. `lanes` has room for a number of each.\n"
    "template <int kLanes>\n"
    "{1}double {0}(double number, double *lanes) {{\n"
    "  lanes[threadIdx.x] = number;\n"
    "  __syncthreads();\n"
    "  for (unsigned half = kLanes / 2; half >= 32; half /= 2) {{\n"
    "    if (threadIdx.x < half) {{\n"
    "      const double other = lanes[threadIdx.x + half];\n"
    "      number = {3};\n"
    "      lanes[threadIdx.x] = number;\n"
    "    }}\n"
    "    __syncthreads();\n"
    "  }}\n"
    "  if (threadIdx.x < 32)\n"
    "    for (int half = 16; half > 0; half /= 2) {{\n"
    "      const double other = __shfl_down_sync(0xffffffff, number, half);\n"
    "      number = {3};\n"
    "    }}\n"
    "  return number;\n"
    "}}\n\n";
constexpr const char *kLaneTree =
    "// Combines the numbers of all lanes half with half; the first one becomes that of all.\n"
    "template <int kLanes>\n"
    "{1}void {0}(double *lanes) {{\n"
    "  for (int half = kLanes / 2; half > 0; half /= 2)\n"
    "#pragma omp simd\n"
    "    for (int lane = 0; lane < half; ++lane) {{\n"
    "      const double number = lanes[lane], other = lanes[lane + half];\n"
    "      lanes[lane] = {3};\n"
    "    }}\n"
    "}}\n\n";

Definition definitionOf(Helper helper) {
  switch (helper) {
  case Helper::Clamp:
    return {"clamp",
            "// The index i of an axis of n points, or that of the end which it is beyond.\n"
            "{1}{2} {0}({2} i, {2} n) {{ return min(max(i, 0), n - 1); }}\n\n"};
  case Helper::Wrap:
    return {"wrap",
            "// The index i of a periodic axis of n points; i is at most n points outside.\n"
            "{1}{2} {0}({2} i, {2} n) {{\n"
            "  if (i < 0) return i + n;\n"
            "  return i < n ? i : i - n;\n"
            "}}\n\n"};
  case Helper::Reflect:
    return {"reflect", "// The index i of an axis of n points, mirrored at the outermost one.\n"
                       "{1}{2} {0}({2} i, {2} n) {{\n"
                       "  if (i < 0) return -i;\n"
                       "  return i < n ? i : n - 2 - (i - n);\n"
                       "}}\n\n"};
  case Helper::Symmetric:
    return {"mirror", "// The index i of an axis of n points, mirrored behind the outermost one.\n"
                      "{1}{2} {0}({2} i, {2} n) {{\n"
                      "  if (i < 0) return -1 - i;\n"
                      "  return i < n ? i : n - 1 - (i - n);\n"
                      "}}\n\n"};
  case Helper::OnGrid:
    return {"on_grid", "// True of the index i of one of an axis' n points, by one comparison.\n"
                       "{1}bool {0}({2} i, {2} n) {{ return unsigned(i) < unsigned(n); }}\n\n"};
  case Helper::FloorQuotient:
    return {"floor_div", "// i / n rounded down, n > 0.\n"
                         "{1}{2} {0}({2} i, {2} n) {{\n"
                         "  return i < 0 ? -((n - 1 - i) / n) : i / n;\n"
                         "}}\n\n"};
  case Helper::FloorRemainder:
    return {"floor_mod", "// The remainder of i / n that is not negative, n > 0.\n"
                         "{1}{2} {0}({2} i, {2} n) {{\n"
                         "  return i < 0 ? n - 1 - (-1 - i) % n : i % n;\n"
                         "}}\n\n"};
  case Helper::LesserIndex:
    return {"lesser", "{1}{2} {0}({2} a, {2} b) {{ return a < b ? a : b; }}\n\n"};
  case Helper::GreaterIndex:
    return {"greater", "{1}{2} {0}({2} a, {2} b) {{ return a > b ? a : b; }}\n\n"};
  case Helper::LesserNumber:
    return {"minimum", "// The smaller number: a NaN loses to any number, -0 is below +0.\n"
                       "template <class T>\n"
                       "T {0}(T a, T b) {{\n"
                       "  return a < b || b != b || (a == b && __builtin_signbit(a)) ? a : b;\n"
                       "}}\n\n"};
  case Helper::GreaterNumber:
    return {"maximum", "// The larger number: a NaN loses to any number, +0 is above -0.\n"
                       "template <class T>\n"
                       "T {0}(T a, T b) {{\n"
                       "  return a > b || b != b || (a == b && __builtin_signbit(b)) ? a : b;\n"
                       "}}\n\n"};
  case Helper::Quotient:
    // 1 would not do: 1 / b is infinite for the least numbers.
    return {"quotient",
            "// a / b. A warp with an a of 0 would have to divide the slow way: 1e-20 is divided "
            "instead.\n"
            "template <class T>\n"
            "{1}T {0}(T a, T b) {{\n"
            "  const T other = (a == 0 ? T(1e-20) : a) / b;\n"
            "  return a == 0 ? a * other : other;\n"
            "}}\n\n"};
  case Helper::Root:
    return {"root",
            "// The square root of a. A warp with an a of 0 would have to take the slow way: "
            "1 stands in.\n"
            "template <class T>\n"
            "{1}T {0}(T a) {{\n"
            "  const T other = sqrt(a == 0 ? T(1) : a);\n"
            "  return a == 0 ? a : other;\n"
            "}}\n\n"};
  case Helper::LoadRow:
    return {"load_row",
            "// Registers take kLanes aligned elements in one access.\n"
            "template <int kLanes, class T>\n"
            "{1}void {0}(T *registers, const T *from) {{\n"
            "  struct alignas(kLanes * sizeof(T)) Row {{\n"
            "    T at[kLanes];\n"
            "  }};\n"
            "  const Row row = *reinterpret_cast<const Row *>(from);\n"
            "#pragma unroll\n"
            "  for (int lane = 0; lane < kLanes; ++lane) registers[lane] = row.at[lane];\n"
            "}}\n\n"};
  case Helper::StoreRow:
    return {"store_row",
            "// kLanes aligned elements take registers in one access.\n"
            "template <int kLanes, class T>\n"
            "{1}void {0}(T *to, const T *registers) {{\n"
            "  struct alignas(kLanes * sizeof(T)) Row {{\n"
            "    T at[kLanes];\n"
            "  }} row;\n"
            "#pragma unroll\n"
            "  for (int lane = 0; lane < kLanes; ++lane) row.at[lane] = registers[lane];\n"
            "  *reinterpret_cast<Row *>(to) = row;\n"
            "}}\n\n"};
  case Helper::LoadBefore:
    return {
        "load_before",
        "// Registers take kLanes elements of a row, from[at] of which is at x; 0 for those that "
        "are not\n"
        "// before the end.\n"
        "template <int kLanes, class T, class Index>\n"
        "{1}void {0}(T *registers, const T *from, Index at, int x, int end) {{\n"
        "  for (int lane = 0; lane < kLanes; ++lane)\n"
        "    registers[lane] = x + lane < end ? from[at + lane] : T(0);\n"
        "}}\n\n"};
  case Helper::StoreBefore:
    return {
        "store_before",
        "// kLanes elements of a row, to[at] of which is at x, take registers if they are before "
        "the end.\n"
        "template <int kLanes, class T, class Index>\n"
        "{1}void {0}(T *to, Index at, const T *registers, int x, int end) {{\n"
        "  for (int lane = 0; lane < kLanes; ++lane)\n"
        "    if (x + lane < end) to[at + lane] = registers[lane];\n"
        "}}\n\n"};
  case Helper::StoreBetween:
    return {"store_between",
            "// kLanes elements of a row, to[at] of which is at x, take registers if they are from "
            "begin on and\n"
            "// before the end.\n"
            "template <int kLanes, class T, class Index>\n"
            "{1}void {0}(T *to, Index at, const T *registers, int x, int begin, int end) {{\n"
            "  for (int lane = 0; lane < kLanes; ++lane)\n"
            "    if (x + lane >= begin && x + lane < end) to[at + lane] = registers[lane];\n"
            "}}\n\n"};
  case Helper::CopyClamped:
    return {"copy_clamped",
            "// Sends kLanes elements of a row from x on to a tile; from[at] is at x_at. In one "
            "access if all\n"
            "// are from first to last, else one by one, for any beyond the one at that end.\n"
            "template <int kLanes, class T, class Index>\n"
            "{1}void {0}(T *to, const T *from, Index at, int x_at, int x, int first, int last) {{\n"
            "  if (x >= first && x + kLanes - 1 <= last)\n"
            "    __pipeline_memcpy_async(to, &from[at + (x - x_at)], kLanes * sizeof(T));\n"
            "  else\n"
            "    for (int lane = 0; lane < kLanes; ++lane)\n"
            "      __pipeline_memcpy_async(\n"
            "          &to[lane], &from[at + (min(max(x + lane, first), last) - x_at)], "
            "sizeof(T));\n"
            "}}\n\n"};
  case Helper::Branch:
    return {"Branch", "// Which of several branches is meant.\n"
                      "template <int kNumber>\n"
                      "struct {0} {{\n"
                      "  static constexpr int number = kNumber;\n"
                      "}};\n\n"};
  case Helper::Planes:
    return {"Planes", "// The planes from one up to another, known before the text is run.\n"
                      "template <int kFirst, int kEnd>\n"
                      "struct {0} {{\n"
                      "  static constexpr int first = kFirst, end = kEnd;\n"
                      "}};\n\n"};
  case Helper::WrittenOut:
    return {"written_out",
            "// Takes all turns of a loop one after the other, as if they were "
            "written out: where turns\n"
            "// clamp an index, nvcc makes more of a loop that it takes apart itself.\n"
            "template <int kTurns, class Turn>\n"
            "{1}void {0}(const Turn &turn) {{\n"
            "  if constexpr (kTurns > 0) {{\n"
            "    {0}<kTurns - 1>(turn);\n"
            "    turn(kTurns - 1);\n"
            "  }}\n"
            "}}\n\n"};
  case Helper::Shift:
    return {"shift", "// Slice i of an array of registers takes slice i + 1; the last one stays.\n"
                     "template <class T>\n"
                     "{1}void {0}_one(T &to, const T &from) {{\n"
                     "  to = from;\n"
                     "}}\n"
                     "template <class T, int kCount>\n"
                     "{1}void {0}_one(T (&to)[kCount], const T (&from)[kCount]) {{\n"
                     "#pragma unroll\n"
                     "  for (int i = 0; i < kCount; ++i) {0}_one(to[i], from[i]);\n"
                     "}}\n"
                     "template <class T, int kCount>\n"
                     "{1}void {0}(T (&slices)[kCount]) {{\n"
                     "#pragma unroll\n"
                     "  for (int i = 0; i + 1 < kCount; ++i) {0}_one(slices[i], slices[i + 1]);\n"
                     "}}\n\n"};
  case Helper::ShiftRows:
    return {"shift_rows",
            "// In an array of registers, rows kFirst to kEnd - 1 of slice i take those of slice i "
            "+ 1.\n"
            "template <int kFirst, int kEnd, class T, int kSlices, int kRows, int kColumns>\n"
            "{1}void {0}(T (&slices)[kSlices][kRows][kColumns]) {{\n"
            "#pragma unroll\n"
            "  for (int i = 0; i + 1 < kSlices; ++i) {{\n"
            "#pragma unroll\n"
            "    for (int row = kFirst; row < kEnd; ++row) {{\n"
            "#pragma unroll\n"
            "      for (int column = 0; column < kColumns; ++column)\n"
            "        slices[i][row][column] = slices[i + 1][row][column];\n"
            "    }}\n"
            "  }}\n"
            "}}\n\n"};
  case Helper::AwaitPrevious:
    return {"await_previous", "// Waits until the kernel before has ended and all that it wrote is "
                              "seen: this one may\n"
                              "// have been launched before that (start_early).\n"
                              "{1}void {0}() {{\n"
                              "#if __CUDA_ARCH__ >= 900\n"
                              "  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
                              "#endif\n"
                              "}}\n\n"};
  case Helper::SharedMemory:
    return {"shared_memory", "#ifdef __CUDACC__\n"
                             "// The shared memory that the launch asks for.\n"
                             "__device__ unsigned char *{0}() {{\n"
                             "  extern __shared__ __align__(16) unsigned char bytes[];\n"
                             "  return bytes;\n"
                             "}}\n"
                             "#endif\n\n"};
  case Helper::OpenMail:
    return {"open_mail",
            "#ifdef __CUDACC__\n"
            "// Makes the words that count the bytes which come from the partner, the other block "
            "of the\n"
            "// cluster: mail[m % 2] those of message m. Goes on when both blocks have them.\n"
            "__device__ void {0}(unsigned long long *mail) {{\n"
            "  const unsigned first = __cvta_generic_to_shared(mail);\n"
            "  if (threadIdx.x == 0 && threadIdx.y == 0)\n"
            "    asm volatile(\n"
            "        \"mbarrier.init.shared::cta.b64 [%0], 1; mbarrier.init.shared::cta.b64 "
            "[%0 + 8], 1;\"\n"
            "        \"fence.mbarrier_init.release.cluster;\" ::\"r\"(first)\n"
            "        : \"memory\");\n"
            "  asm volatile(\n"
            "      \"barrier.cluster.arrive.release.aligned; "
            "barrier.cluster.wait.acquire.aligned;\" :::\n"
            "      \"memory\");\n"
            "}}\n"
            "#endif\n\n"};
  case Helper::SendRow:
    return {
        "send_row",
        "#ifdef __CUDACC__\n"
        "// The partner's elements at `to` take kLanes aligned ones; their bytes are counted with "
        "the\n"
        "// message's.\n"
        "template <int kLanes, class T>\n"
        "__device__ void {0}(T *to, const T *from, unsigned long long *mail, int message) {{\n"
        "  constexpr int kWords = kLanes * sizeof(T) / 8;\n"
        "  struct alignas(8 * kWords) Row {{\n"
        "    unsigned long long at[kWords];\n"
        "  }};\n"
        "  const Row row = *reinterpret_cast<const Row *>(from);\n"
        "  const unsigned partner = (blockIdx.y + 1) % 2;\n"
        "  unsigned there, word;\n"
        "  asm(\"mapa.shared::cluster.u32 %0, %1, %2;\"\n"
        "      : \"=r\"(there)\n"
        "      : \"r\"(unsigned(__cvta_generic_to_shared(to))), \"r\"(partner));\n"
        "  asm(\"mapa.shared::cluster.u32 %0, %1, %2;\"\n"
        "      : \"=r\"(word)\n"
        "      : \"r\"(unsigned(__cvta_generic_to_shared(mail + message % 2))), "
        "\"r\"(partner));\n"
        "  if constexpr (kWords == 2)\n"
        "    asm volatile(\n"
        "        \"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 "
        "[%0], {{%1, %2}}, [%3];\" ::\n"
        "            \"r\"(there), \"l\"(row.at[0]), \"l\"(row.at[1]), \"r\"(word)\n"
        "        : \"memory\");\n"
        "  else\n"
        "    asm volatile(\n"
        "        \"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, "
        "[%2];\" ::\n"
        "            \"r\"(there), \"l\"(row.at[0]), \"r\"(word)\n"
        "        : \"memory\");\n"
        "}}\n"
        "#endif\n\n"};
  case Helper::AwaitMail:
    return {"await_mail",
            "#ifdef __CUDACC__\n"
            "// Waits until so many bytes of the partner's message have come.\n"
            "__device__ void {0}(unsigned long long *mail, int message, unsigned bytes) {{\n"
            "  const unsigned word = __cvta_generic_to_shared(mail + message % 2);\n"
            "  if (threadIdx.x == 0)\n"
            "    asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\" "
            "::\"r\"(word),\n"
            "                 \"r\"(bytes)\n"
            "                 : \"memory\");\n"
            "  unsigned hasCome;\n"
            "  do asm volatile(\n"
            "        \"{{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, "
            "[%1], %2;\"\n"
            "        \" selp.u32 %0, 1, 0, p;}}\"\n"
            "        : \"=r\"(hasCome)\n"
            "        : \"r\"(word), \"r\"(message / 2 % 2)\n"
            "        : \"memory\");\n"
            "  while (!hasCome);\n"
            "}}\n"
            "#endif\n\n"};
  case Helper::BlockMin:
    return {"block_min", kBlockTree};
  case Helper::BlockMax:
    return {"block_max", kBlockTree};
  case Helper::BlockSum:
    return {"block_sum", kBlockTree};
  case Helper::LanesMin:
    return {"lanes_min", kLaneTree};
  case Helper::LanesMax:
    return {"lanes_max", kLaneTree};
  case Helper::LanesSum:
    return {"lanes_sum", kLaneTree};
  }
  llvm_unreachable("every helper has a definition");
}

} // namespace

llvm::StringRef HelperSet::use(Helper helper, std::string combined) {
  auto [entry, isNew] = used.try_emplace(helper);
  if (isNew)
    entry->second = {names.fresh(definitionOf(helper).name), std::move(combined)};
  return entry->second.name;
}

std::string HelperSet::definitions() const {
  const bool isDevice = code == Target::Device;
  std::string out;
  for (const auto &[helper, use] : used)
    out += fmt::format(fmt::runtime(definitionOf(helper).text), use.name,
                       isDevice ? "__device__ " : "", isDevice ? "int" : "int64_t", use.combined);
  return out;
}

} // namespace stencilc
