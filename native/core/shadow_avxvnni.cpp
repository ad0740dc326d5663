// The AVX2 shadow kernels with AVX-VNNI.

#define SYNOPTIC_AVX_VNNI
#include "shadow_avx2.cpp"
