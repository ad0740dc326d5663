// The AVX2 kernels over quantized codes with AVX-VNNI.

#define SYNOPTIC_AVX_VNNI
#include "kernels/codes_avx2.cpp"
