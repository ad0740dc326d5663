// The AVX2 shadow kernels with AVX-VNNI: the flags of this file choose the branches.

#include "shadow_avx2.cpp"
