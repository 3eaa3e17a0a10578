// The dynamic shared memory of the kernels, where the harness poisons it before each block.
alignas(128)
    __attribute__((section("stencilc_shared"))) unsigned char stencilcApspShared[228 << 10] = {};
