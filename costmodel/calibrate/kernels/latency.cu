// latency: one thread follows a chain of addresses, each on a line of its own. It goes on from where
// it was at the end of the launch before, which it finds in `to`.
constexpr long long kLineBytes = 128;

// Before: every line holds the address of the next one. The numbers make a cycle through all lines
// if there are a power of two of them.
extern "C" __global__ void link(char *from, char *to, long long lines, long long) {
  *(char **)to = from;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < lines;
       i += (long long)gridDim.x * blockDim.x)
    *(char **)(from + i * kLineBytes) =
        from + (((unsigned)i * 1597334677u + 2891336453u) & (unsigned)(lines - 1)) * kLineBytes;
}

extern "C" __global__ void chase_l1(const char *from, char *to, long long hops, long long) {
  from = *(const char **)to;
  for (long long hop = 0; hop < hops; ++hop)
    from = *(const char *const *)from;
  *(const char **)to = from;
}

// Past the L1.
extern "C" __global__ void chase_l2(const char *from, char *to, long long hops, long long) {
  from = *(const char **)to;
  for (long long hop = 0; hop < hops; ++hop)
    from = (const char *)__ldcg((const long long *)from);
  *(const char **)to = from;
}
