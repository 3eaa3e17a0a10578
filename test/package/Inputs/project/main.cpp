// program START END STEPS: 9 x 17 x 33 doubles of START after STEPS steps of heat, into END. Then
// says what two others of its stencils answer.
#include "heat.h"
#include "heat1d.h"
#include "heat_single.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

int main(int, char **words) {
  heat_args args = heat_args_default();
  args.nz = 9, args.ny = 17, args.nx = args.stride_y = 33;
  args.stride_z = args.ny * args.stride_y;
  std::vector<double> from(args.nz * args.stride_z), into(from.size());
  args.u = from.data(), args.u_next = into.data();
  const std::streamsize bytes = from.size() * sizeof(double);

  std::ifstream(words[1], std::ios::binary).read(reinterpret_cast<char *>(args.u), bytes);
  const heat_status status = heat_run(&args, std::atoi(words[3]), nullptr, 0, nullptr);
  std::ofstream(words[2], std::ios::binary).write(reinterpret_cast<const char *>(args.u), bytes);

  heat_single_args single = heat_single_args_default();
  static_assert(sizeof *single.u == sizeof(float) && sizeof *args.u == sizeof(double));
  heat1d_args row = heat1d_args_default();
  row.nx = -1;
  std::printf("%s; %g %g; %s\n", heat_strerror(status), args.alpha, single.alpha,
              heat1d_strerror(heat1d_run(&row, 1, nullptr, 0, nullptr)));
}
