// Kernels that were broken on purpose (gpu.cmake says how) have to give themselves away: by another
// result than the specification's, by many more rows that are scored, or by threads that wait for
// ever.

#include <stdexcept>

#include "emulated_device.h"
#include "gpu_examples.h"

namespace synoptic::test {

#define SYNOPTIC_MUTANT(name) extern const EmulatedKernels name;
#include "mutants.inc"
#undef SYNOPTIC_MUTANT

namespace {

constexpr std::size_t kRows = 170;
constexpr std::size_t kDimension = 72;
constexpr std::uint64_t kLittle = std::uint64_t{8} << 20;

// Rows that lean one way, so that quantized codes have directions; the second column ties with the
// first.
std::shared_ptr<Collection> MakeExample(ThreadPool& pool) {
  std::vector<float> leaning = RandomValues(kRows * kDimension, 5);
  for (std::size_t i = 0; i < leaning.size(); ++i) leaning[i] += i % kDimension % 2 == 0 ? 1.5f : 0;
  std::vector<float> adverse = AdversarialValues(kRows, kDimension, 6);
  // Sums that depend on the order in which lanes are added: a query of ones meets 2^60 in lane 0
  // and -2^60 in lane 8.
  for (std::size_t row = 1; row < kRows; row += 11) {
    float* x = adverse.data() + row * kDimension;
    for (std::size_t d = 0; d < kDimension; ++d) x[d] = d % 8 == 0 ? 0 : 1 + static_cast<float>(d);
    x[0] = 0x1p60f;
    x[8] = -0x1p60f;
  }
  std::vector<float> repeated = leaning;
  for (std::size_t i = 0; i < repeated.size(); ++i) repeated[i] = leaning[i % (9 * kDimension)];
  return MakeCollection(pool, "mutants", kDimension,
                        {{leaning, 8}, {leaning, 4}, {adverse, 8}, {repeated, 8}});
}

GpuOptions Options(bool is_tight) {
  GpuOptions options;
  options.graphs = false;
  if (!is_tight) return options;
  options.min_candidates = 128;
  options.min_samples = 128;
  options.tile_bytes = 4096;
  options.min_streamed_queries = 9;
  options.staging_bytes = std::uint64_t{8} << 10;
  options.staging_slots = 3;
  options.chunk_bytes = std::uint64_t{12} << 10;
  return options;
}

struct Outcome {
  // Searches whose result differs from the specification's.
  std::size_t faults = 0;
  // Bounds that are wide or no numbers drop nothing, so that results are right and slow.
  std::uint64_t rescored = 0;
};

Outcome RunSearches(ThreadPool& pool, const std::shared_ptr<Collection>& collection,
                    const EmulatedKernels& kernels) {
  const EmulatedDevice device(kernels);
  Outcome outcome;
  std::size_t& faults = outcome.faults;
  const auto run = [&](GpuWorker& worker, const SearchArguments& arguments) {
    try {
      const SearchResult result = GpuSearch(*collection, arguments, worker, true).Run();
      if (!SameResult(result, ExactResult(pool, collection, arguments))) ++faults;
      outcome.rescored += result.rescored;
    } catch (const Error& error) {
      if (error.code != "ECUDA_TIES") ++faults;
    } catch (const std::runtime_error&) {
      ++faults;
    }
  };
  for (const bool is_tight : {true, false}) {
    // With little memory, columns are streamed.
    GpuMemory memory(GpuDevice(device.api(), 0), is_tight ? kLittle : std::uint64_t{1} << 30);
    GpuMemory::Ref taken;
    GpuWorker worker(memory, Options(is_tight));
    for (const std::size_t k : {std::size_t{7}, kRows - 20}) {
      for (const bool distinct : {true, false}) {
        for (const std::size_t queries : {1, 2, 9}) {
          SearchArguments arguments = MakeArguments(*collection, queries, k);
          arguments.distinct = distinct;
          run(worker, arguments);
          arguments.columns = {3};
          run(worker, arguments);
        }
      }
    }
    SearchArguments ones = MakeArguments(*collection, 1, kRows);
    ones.queries.assign(ones.queries.size(), 1.0f);
    ones.columns = {2};
    run(worker, ones);
    if (!is_tight) continue;
    worker.Chunk();
    memory.ReleaseIdle({});
    taken = memory.Reserve(kLittle - memory.stats().used_bytes - 1000);
    run(worker, MakeArguments(*collection, 9, 7));
  }
  return outcome;
}

TEST(EveryMutantIsCaught) {
  ThreadPool pool(1);
  const auto collection = MakeExample(pool);
  const Outcome sound = RunSearches(pool, collection, kSoundKernels);
  CHECK_EQUAL(sound.faults, 0u);
  std::size_t index = 0;
  for (const EmulatedKernels* mutant : {
#define SYNOPTIC_MUTANT(name) &name,
#include "mutants.inc"
#undef SYNOPTIC_MUTANT
       }) {
    if (index++ % 5 != 0 && IsSample()) continue;
    const Outcome outcome = RunSearches(pool, collection, *mutant);
    const bool is_slow = outcome.rescored > sound.rescored + sound.rescored / 8;
    CHECK_EQUAL(outcome.faults > 0 || is_slow ? "caught" : mutant->name, std::string("caught"));
  }
}

}  // namespace
}  // namespace synoptic::test
