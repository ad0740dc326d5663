// Runs a fuzz target on its seeds and on random changes of them: `npy_fuzz [runs] [seed]`. The same
// seed makes the same inputs; a crash or a sanitizer's report ends the process.

#include <cstdio>
#include <cstdlib>
#include <random>

#include "target.h"

int main(int count, char** arguments) {
  const long runs = count > 1 ? std::atol(arguments[1]) : 20000;
  std::mt19937 generator(count > 2 ? static_cast<unsigned>(std::atol(arguments[2])) : 1);
  const std::vector<std::string> seeds = synoptic::test::FuzzSeeds();
  const auto run = [](const std::string& input) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  };
  for (const std::string& seed : seeds) run(seed);
  for (long i = 0; i < runs; ++i) {
    std::string input = seeds[generator() % seeds.size()];
    for (unsigned change = 0; change < 1 + generator() % 4; ++change) {
      const std::size_t at = input.empty() ? 0 : generator() % input.size();
      switch (input.empty() ? 2 : generator() % 5) {
        case 0:
          input[at] = static_cast<char>(generator());
          break;
        case 1:
          input.resize(at);
          break;
        case 2:
          input.insert(at, 1 + generator() % 9, static_cast<char>(generator()));
          break;
        case 3:
          input.erase(at, 1 + generator() % 9);
          break;
        default:
          input[at] = static_cast<char>(input[at] ^ 1 << generator() % 8);
          break;
      }
    }
    run(input);
  }
  std::printf("%zu seeds, %ld changed inputs\n", seeds.size(), runs);
  return 0;
}
