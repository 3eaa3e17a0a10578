#include "test/programs/HandKernel.h"
#include "test/programs/Programs.h"

using namespace stencilc;

namespace {

constexpr int kColumns = 32;

class RoleMarch {
public:
  RoleMarch(const Stencil &stencil, int rows, int chunk)
      : program(simpleProgram(stencil)),
        step(program, "heat_march_in_roles", {kColumns, rows + 2, 1}), rows(rows), chunk(chunk) {}

  Program build();

private:
  Body compute();
  /// A role that copies a part of each plane, one plane ahead of its use.
  Body copyAhead(Body (RoleMarch::*copies)(const Index &plane));
  Body copyRows(const Index &plane);
  Body copyColumns(const Index &plane);
  Statement copy(const Index &plane, Index row, Index column, Index y, Index x);
  Index inRange(Index y) { return minimum(std::move(y), add(ny, -1)); }
  For turns(Body body) { return {LoopKind::Serial, z, begin, end, 1, std::move(body)}; }
  Value shared(Index row, Index column) {
    return step.value(LoadShared{tile, {remainder(plane, 2), std::move(row), std::move(column)}});
  }
  Value element(int64_t at) { return step.element(column, {c(at)}); }

  Program program;
  HandKernel step;
  const Index nz = extent(0), ny = extent(1), nx = extent(2);
  const int rows, chunk;
  unsigned tile = 0, column = 0, together = 0, z = 0; ///< tile, patch, group, local
  Index x0, y0, begin, end, plane;
};

Statement RoleMarch::copy(const Index &from, Index row, Index column, Index y, Index x) {
  return {CopyAsync{tile,
                    {remainder(from, 2), std::move(row), std::move(column)},
                    step.u,
                    {from, minimum(std::move(y), add(ny, -1)), minimum(std::move(x), add(nx, -1))},
                    1}};
}

Body RoleMarch::copyRows(const Index &from) {
  return {copy(from, c(0), add(lane(), 1), add(y0, -1), add(x0, lane())),
          copy(from, c(rows + 1), add(lane(), 1), inRange(add(y0, rows)), add(x0, lane()))};
}

/// Two lanes for each row: one west of the tile, one east of it.
Body RoleMarch::copyColumns(const Index &from) {
  const Index row = quotient(lane(), 2), far = scale(remainder(lane(), 2), kColumns + 1);
  return {{If{{{lane(), nullptr, c(2 * rows)}},
              {copy(from, add(row, 1), far, inRange(add(y0, row)), add(add(x0, -1), far))},
              {}}}};
}

Body RoleMarch::copyAhead(Body (RoleMarch::*copies)(const Index &plane)) {
  Body body = (this->*copies)(begin);
  body.push_back({CommitCopies{}});
  Body turn = {{WaitCopies{0}}, {Barrier{together}}};
  for (Statement &statement : (this->*copies)(add(plane, 1)))
    turn.push_back(std::move(statement));
  turn.push_back({CommitCopies{}});
  body.push_back({turns(std::move(turn))});
  return body;
}

Body RoleMarch::compute() {
  Body body;
  const Index x = step.builder.letIndex(body, "x", minimum(add(x0, lane()), add(nx, -1)));
  const Index y = step.builder.letIndex(body, "y", minimum(add(y0, warp()), add(ny, -1)));
  body.push_back({AssignElement{column, {c(0)}, step.load({add(begin, -1), y, x})}});
  body.push_back({AssignElement{column, {c(1)}, step.load({begin, y, x})}});
  const Index row = add(warp(), 1), here = add(lane(), 1);
  Body turn = {{AssignElement{column, {c(2)}, step.load({add(plane, 1), y, x})}},
               {StoreShared{tile, {remainder(plane, 2), row, here}, element(1)}},
               {Barrier{together}}};
  const Value value =
      step.heat(element(1), shared(row, lane()), shared(row, add(lane(), 2)), shared(warp(), here),
                shared(add(warp(), 2), here), element(0), element(2));
  turn.push_back({If{{{x, nullptr, add(nx, -1)}, {y, nullptr, add(ny, -1)}},
                     {{StoreGlobal{step.next, {plane, y, x}, value}}},
                     {}}});
  turn.push_back({ShiftPatch{column}});
  For march = turns(std::move(turn));
  march.steady = SteadyLoop{};
  body.push_back({std::move(march)});
  return body;
}

Program RoleMarch::build() {
  KernelBuilder &builder = step.builder;
  builder.kernel.integers[2].atLeast = c(1);
  Body body;
  x0 = builder.letIndex(body, "x_begin", add(step.first[2], scale(block(0), kColumns)));
  // Every block begins at a point that it updates.
  const Index lastY = add(ny, -2), lastZ = add(nz, -2);
  y0 = builder.letIndex(body, "y_begin", minimum(add(step.first[1], scale(block(1), rows)), lastY));
  begin =
      builder.letIndex(body, "z_begin", minimum(add(step.first[0], scale(block(2), chunk)), lastZ));
  end = builder.letIndex(body, "z_end", minimum(add(begin, chunk), add(nz, -1)));
  tile = builder.tile("plane", step.type, {2, rows + 2, kColumns + 2});
  column = builder.patch("column", step.type, {3});
  together = builder.group("plane", 0, rows + 2);
  z = builder.local("z");
  plane = coordinate(CoordinateKind::Local, z);
  body.push_back({Roles{
      {{"compute a row", 0, unsigned(rows), compute()},
       {"copy the rows around", unsigned(rows), 1, copyAhead(&RoleMarch::copyRows)},
       {"copy the columns around", unsigned(rows) + 1, 1, copyAhead(&RoleMarch::copyColumns)}}}});
  replaceStep(program, {step.finish(program, std::move(body), {chunk, rows, kColumns})});
  return std::move(program);
}

} // namespace

Program stencilc::marchInRoles(const Stencil &stencil, int rows, int chunk) {
  return RoleMarch(stencil, rows, chunk).build();
}
