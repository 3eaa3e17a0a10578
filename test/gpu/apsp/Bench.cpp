// apsp-bench MODE: checks and times the shortest-path kernels on the first GPU; rows as CSV.
//   ceilings           what the arithmetic alone allows
//   check              every kernel against the CPU, n to 4096
//   quick              a few small cases of every kernel, for compute-sanitizer
//   speed              the large problems, several plans each; sampled rows against Dijkstra
//   sweep              all plans for n = 64 .. 20000
//   between            the same at other sizes
//   paper              the paper's two kernels
// Exit status 0 if every checked result was right.
#include "Ceilings.h"
#include "Paper.h"
#include "Weights.h"
#include "runtime/apsp/Algebra.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>

namespace stencilc::apsp::bench {

std::vector<int64_t> sampleRows(int64_t n) {
  const int64_t count = n < 64 ? n : 64;
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < count; ++i)
    rows.push_back(i * n / count);
  return rows;
}

std::vector<double> dijkstra(const Graph &graph, int64_t from) {
  std::vector<double> distance(graph.n, std::numeric_limits<double>::infinity());
  std::vector<char> done(graph.n, 0);
  distance[from] = 0;
  for (;;) {
    int64_t at = -1;
    for (int64_t v = 0; v < graph.n; ++v)
      if (!done[v] && (at < 0 || distance[v] < distance[at]))
        at = v;
    if (at < 0 || std::isinf(distance[at]))
      return distance;
    done[at] = 1;
    for (int64_t v = 0; v < graph.n; ++v) {
      int32_t weight;
      if (!done[v] && distance[at] + graph.lowest < distance[v] && edge(graph, at, v, weight) &&
          distance[at] + weight < distance[v])
        distance[v] = distance[at] + weight;
    }
  }
}

namespace {

Outcome run(const Case &c) {
  const std::map<std::string, Outcome (*)(const Case &)> runners = {
      {"f32", runCase<MinPlus, float>},     {"f64", runCase<MinPlus, double>},
      {"s32", runCase<MinPlus, int32_t>},   {"s16", runCase<MinPlus, int16_t>},
      {"u16", runCase<MinPlus, uint16_t>},  {"longest", runCase<MaxPlus, float>},
      {"widest", runCase<MaxMin, int32_t>}, {"reach", runCase<OrAnd, uint16_t>}};
  return runners.at(c.type)(c);
}

const char *spelling(Algorithm algorithm) {
  switch (algorithm) {
  case Algorithm::Blocked:
    return "blocked";
  case Algorithm::PivotByPivot:
    return "floyd-warshall";
  case Algorithm::MinPlus:
    return "min-plus";
  case Algorithm::RacyInPlaceMinPlus:
    return "min-plus-in-place";
  }
  return "";
}

std::string weightName(const Case &c) {
  switch (c.plan.range) {
  case WeightRange::Any:
    return c.type;
  case WeightRange::NonNegative:
    return c.type + "+";
  case WeightRange::Below22Bits:
    return c.type + "<2^22";
  }
  return c.type;
}

int failures = 0;

/// What is wrong with an outcome; empty if nothing.
std::string fault(const Case &c, const Outcome &outcome) {
  const Report &report = outcome.report;
  const bool negativeCycles = c.graph.lowest < 0 && c.type != "longest";
  if (outcome.status != Status::Ok)
    return describe(outcome.status);
  if (!outcome.error.empty())
    return outcome.error;
  if ((report.onNegativeCycle != noVertex) != negativeCycles)
    return "negative cycle " + std::to_string(report.onNegativeCycle);
  if (report.refusedWeights || report.brokenRange || report.saturated)
    return "weights refused";
  if (negativeCycles)
    return "";
  // The racy kernel's paths may be wrong: that is what it is kept for.
  const bool paths = c.plan.algorithm != Algorithm::RacyInPlaceMinPlus;
  if (outcome.wrongDistances || outcome.wrongTriangles || (paths && outcome.wrongPaths) ||
      (paths && outcome.cyclicPaths))
    return "wrong: " + std::to_string(outcome.wrongDistances) + " distances, " +
           std::to_string(outcome.wrongTriangles) + " triangles, " +
           std::to_string(outcome.wrongPaths) + " hops, " + std::to_string(outcome.cyclicPaths) +
           " cycles";
  return "";
}

void printHeader() {
  std::printf("algorithm,block,tile,n,seconds,mode,weight,paths,row_unit,look_ahead,"
              "pairs_per_second,percent,highest,wrong_hops,result\n");
}

void print(const Case &c, const Outcome &outcome, const std::string &wrong) {
  const double n = double(c.graph.n);
  std::printf("%s,%d,%d,%lld,%.9g,graph,%s,%s,%d,%s,%.5g,%d,%d,%llu,%s\n",
              spelling(c.plan.algorithm), c.plan.blockSize, c.plan.tileSize, (long long)c.graph.n,
              outcome.seconds, weightName(c).c_str(), c.kind == PathKind::None ? "no" : "yes",
              c.rowUnit, c.lookAhead ? "yes" : "no", n * n * n / outcome.seconds, c.graph.percent,
              c.graph.highest, (unsigned long long)outcome.wrongPaths,
              wrong.empty() ? "ok" : wrong.c_str());
  std::fflush(stdout);
  failures += !wrong.empty();
}

void runAndPrint(const Case &c) {
  const Outcome outcome = run(c);
  print(c, outcome, fault(c, outcome));
}

Plan blocked(int block, int tile, WeightRange range) {
  Plan plan;
  plan.blockSize = block;
  plan.tileSize = tile;
  plan.range = range;
  return plan;
}

Plan paperPlan(Algorithm algorithm, int width) {
  Plan plan;
  plan.algorithm = algorithm;
  plan.blockSize = width;
  return plan;
}

constexpr auto any = WeightRange::Any, nonNegative = WeightRange::NonNegative,
               below22 = WeightRange::Below22Bits;

/// All kernels of a type of weights.
std::vector<Plan> plansFor(const std::string &type, PathKind kind) {
  std::vector<Plan> plans;
  std::vector<WeightRange> ranges = {any};
  if (type == "f32" || type == "s32")
    ranges.push_back(nonNegative);
  if (type == "s32")
    ranges.push_back(below22);
  for (WeightRange range : ranges)
    for (int tile : {64, 128})
      for (int block : {64, 128, 256}) {
        const bool withPaths = kind != PathKind::None;
        if ((tile == 128 && type == "f64") || (tile == 64 && range == below22 && !withPaths) ||
            block > greatestBlockSize(kind, range))
          continue;
        plans.push_back(blocked(block, tile, range));
      }
  return plans;
}

int32_t highestFor(const std::string &type) {
  return type == "u16" ? 10000 : type == "s16" ? 4000 : type == "reach" ? 1 : 1000000;
}

void check(bool quick) {
  printHeader();
  const std::vector<int64_t> sizes =
      quick ? std::vector<int64_t>{65, 200}
            : std::vector<int64_t>{1, 2, 63, 64, 65, 127, 129, 257, 1000, 4096};
  for (const char *type : {"f32", "s32", "u16", "s16", "f64", "longest", "widest", "reach"})
    for (int64_t n : sizes)
      for (int percent : {100, 3})
        for (PathKind kind : {PathKind::None, PathKind::FirstHop, PathKind::Predecessor}) {
          const bool exotic = std::strcmp(type, "f32") != 0 && std::strcmp(type, "s32") != 0;
          if ((quick && percent == 3) || (kind == PathKind::Predecessor && (quick || n > 1000)) ||
              (exotic && n > 1000))
            continue;
          Case c;
          c.type = type;
          c.kind = kind;
          c.againstHost = true;
          c.rowUnit = n < 1000 ? 1 : 64; // some rows begin at odd places
          // Longest paths: negative weights, so that no cycle gains.
          const int32_t highest = highestFor(type) / (percent == 3 ? 10 : 1);
          c.graph = {n, percent, 0, highest};
          if (c.type == "longest")
            c.graph = {n, percent, -highest, -1};
          if (c.type == "reach")
            c.graph = {n, n > 64 && percent == 3 ? 1 : percent, 1, 1};
          std::vector<Plan> plans = plansFor(type, kind);
          if (!exotic && n <= 257)
            for (Algorithm algorithm :
                 {Algorithm::PivotByPivot, Algorithm::MinPlus, Algorithm::RacyInPlaceMinPlus})
              for (int width : {8, 16, 32})
                if (algorithm != Algorithm::RacyInPlaceMinPlus || kind != PathKind::Predecessor)
                  plans.push_back(paperPlan(algorithm, width));
          for (const Plan &plan : plans) {
            c.plan = plan;
            c.lookAhead = true;
            runAndPrint(c);
          }
          c.lookAhead = false;
          c.plan = plans[0];
          if (n > 64 && n <= 1000 && c.type == "f32")
            runAndPrint(c);
        }
  for (const char *type : {"f32", "s32"}) { // negative cycles
    Case c;
    c.type = type;
    c.graph = {300, 50, -5, 100};
    c.plan = blocked(64, 64, any);
    runAndPrint(c);
  }
}

void speed() {
  printHeader();
  std::map<std::pair<int64_t, int32_t>, std::vector<std::vector<double>>> references;
  auto go = [&](const std::string &type, int64_t n, PathKind kind, std::vector<Plan> plans,
                int repeats, bool lookAhead = true) {
    for (const Plan &plan : plans) {
      Case c;
      c.type = type;
      c.graph = {n, 100, 1, highestFor(type)};
      c.kind = kind;
      c.plan = plan;
      c.repeats = repeats;
      c.lookAhead = lookAhead;
      const Outcome outcome = run(c);
      std::string wrong = fault(c, outcome);
      auto &reference = references[{n, c.graph.highest}];
      if (reference.empty()) {
        const std::vector<int64_t> rows = sampleRows(n);
        reference.resize(rows.size());
#pragma omp parallel for schedule(dynamic)
        for (size_t i = 0; i < rows.size(); ++i)
          reference[i] = dijkstra(c.graph, rows[i]);
      }
      if (wrong.empty() && outcome.rows != reference)
        wrong = "rows differ from Dijkstra's";
      print(c, outcome, wrong);
    }
  };
  for (int64_t n : {1000, 4000, 8192, 16384, 32768}) {
    const int repeats = n <= 1000 ? 21 : n <= 4000 ? 11 : n <= 8192 ? 5 : n <= 16384 ? 3 : 2;
    auto candidates = [&](const std::string &type, PathKind kind, WeightRange range) {
      std::vector<Plan> plans;
      for (const Plan &plan : plansFor(type, kind))
        if (plan.range == range && (n <= 4000 || plan.tileSize == 128 || plan.blockSize == 64) &&
            (n <= 8192 || plan.blockSize >= 128 || kind != PathKind::None))
          plans.push_back(plan);
      return plans;
    };
    auto goAll = [&](const std::string &type, PathKind kind, WeightRange range,
                     bool lookAhead = true) {
      go(type, n, kind, candidates(type, kind, range), repeats, lookAhead);
    };
    const PathKind none = PathKind::None, hops = PathKind::FirstHop;
    goAll("f32", none, nonNegative);
    goAll("s32", none, any);
    goAll("s32", none, below22);
    goAll("u16", none, any);
    goAll("f32", hops, nonNegative);
    goAll("s32", hops, any);
    goAll("s32", hops, below22);
    if (n <= 8192) {
      goAll("f32", none, any);
      goAll("f32", none, nonNegative, false);
      goAll("f32", PathKind::Predecessor, nonNegative);
    }
  }
}

/// Every plan that may be the fastest, and beside it the paper's kernels where they may be.
void sweep(const std::vector<int64_t> &sizes) {
  printHeader();
  for (int64_t n : sizes)
    for (const char *type : {"f32", "s32", "u16"})
      for (PathKind kind : {PathKind::None, PathKind::FirstHop}) {
        Case c;
        c.type = type;
        c.kind = kind;
        c.graph = {n, 100, 1, highestFor(type)};
        c.repeats = n <= 1024 ? 11 : n <= 3072 ? 5 : 2;
        std::vector<Plan> plans;
        for (const Plan &plan : plansFor(type, kind))
          if (n <= 8192 || kind != PathKind::None || (plan.blockSize > 64 && plan.tileSize == 128))
            plans.push_back(plan);
        if (n <= 1024)
          for (Algorithm algorithm : {Algorithm::PivotByPivot, Algorithm::MinPlus})
            for (int width : {8, 16, 32})
              plans.push_back(paperPlan(algorithm, width));
        for (const Plan &plan : plans) {
          c.plan = plan;
          runAndPrint(c);
        }
      }
}

void paper() {
  std::printf("algorithm,block,n,seconds,mode\n");
  struct Range {
    int from, to, step, repeats;
  };
  for (Algorithm algorithm : {Algorithm::RacyInPlaceMinPlus, Algorithm::PivotByPivot}) {
    const bool squaring = algorithm == Algorithm::RacyInPlaceMinPlus;
    for (int width : {8, 16, 32})
      for (Range range : {Range{50, 100, 1, 21}, Range{110, 470, 30, 7}, Range{480, 560, 4, 7},
                          Range{512, 513, 1, 7}, Range{544, 545, 1, 7}, Range{481, 500, 19, 7},
                          Range{600, 900, 100, 5}, Range{1000, 1064, 8, 5},
                          Range{1500, 3500, 500, 3}, Range{4000, 4050, 10, 1}})
        for (int n = range.from; n <= range.to; n += range.step) {
          const bool asGraph = n <= 600;
          const double seconds = timePaper(algorithm, width, n, asGraph, range.repeats);
          std::printf("%s,%d,%d,%.9g,%s\n", squaring ? "min-plus" : "floyd-warshall", width, n,
                      seconds, asGraph ? "graph" : "stream");
          std::fflush(stdout);
        }
  }
}

} // namespace
} // namespace stencilc::apsp::bench

int main(int argc, char **argv) {
  using namespace stencilc::apsp::bench;
  const std::string mode = argc == 2 ? argv[1] : "";
  if (mode == "ceilings") {
    std::printf("ceiling,pairs_per_second\n");
    for (const Ceiling &ceiling : measureCeilings())
      std::printf("\"%s\",%.5g\n", ceiling.name.c_str(), ceiling.pairsPerSecond);
  } else if (mode == "check" || mode == "quick") {
    check(mode == "quick");
  } else if (mode == "speed") {
    speed();
  } else if (mode == "sweep") {
    sweep({64,   96,   128,  160,  192,  256,  288,  320,  384,  450,  500,   512,  768,
           1024, 1250, 1536, 1750, 2048, 2500, 3072, 3500, 5000, 6144, 12288, 20000});
  } else if (mode == "between") {
    sweep({80,   112,  144,  224,  352,  420,  580,  640,  700,  900,   1150,  1400,
           1900, 2250, 2800, 3250, 3750, 4500, 5500, 7000, 9000, 10000, 14000, 24000});
  } else if (mode == "paper") {
    paper();
  } else {
    std::fprintf(stderr, "usage: apsp-bench ceilings|check|quick|speed|sweep|between|paper\n");
    return 2;
  }
  return failures == 0 ? 0 : 1;
}
