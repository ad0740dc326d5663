// The AVX2 shadow kernels with AVX-VNNI.

#define SYNOPTIC_AVX_VNNI
#include "kernels/codes_avx2.cpp"
