// What a fuzz target defines: the entry point of libFuzzer, and inputs to start from for the driver
// that takes its place where there is no Clang.

#ifndef SYNOPTIC_TEST_FUZZ_TARGET_H_
#define SYNOPTIC_TEST_FUZZ_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace synoptic::test {

std::vector<std::string> FuzzSeeds();

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_FUZZ_TARGET_H_
