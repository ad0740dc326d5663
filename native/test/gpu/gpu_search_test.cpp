// Searches on a device against the specification: the same bits, whatever the shape, the layouts of
// the columns, the room for candidates, and however memory is short.

#include <bit>

#include "gpu_examples.h"
#include "tested_device.h"

namespace synoptic {
namespace {

using test::MakeArguments;
using test::MakeCollection;

// Little room: thresholds come from a sample, candidates overflow, a batch is cut into groups and
// tiles.
GpuOptions TightOptions() {
  GpuOptions options;
  options.min_candidates = 48;
  options.min_samples = 64;
  options.workspace_bytes = std::uint64_t{1} << 20;
  options.tile_bytes = 4096;
  options.staging_bytes = std::uint64_t{16} << 10;
  options.staging_slots = 2;
  options.chunk_bytes = std::uint64_t{24} << 10;
  options.graphs = false;
  return options;
}

// Searches that a device gave up because of too many ties.
std::size_t given_up = 0;
std::size_t completed = 0;

void CheckSearch(ThreadPool& pool, const std::shared_ptr<Collection>& collection, GpuWorker& worker,
                 const SearchArguments& arguments, bool has_blas = true) {
  try {
    const SearchResult expected = test::ExactResult(pool, collection, arguments);
    // The second run is recorded.
    for (int run = 0; run < (worker.options().graphs ? 2 : 1); ++run) {
      const SearchResult result = GpuSearch(*collection, arguments, worker, has_blas).Run();
      CHECK(test::SameResult(result, expected));
      CHECK_EQUAL(result.device, 0);
    }
    ++completed;
  } catch (const Error& error) {
    CHECK_EQUAL(error.code, std::string("ECUDA_TIES"));
    ++given_up;
  }
}

// Every way of asking that the processor's tests know.
void CheckSearches(ThreadPool& pool, const std::shared_ptr<Collection>& collection,
                   GpuWorker& worker) {
  const std::size_t rows = collection->rows();
  for (const std::size_t queries : {1, 3, 12}) {
    for (const std::size_t k : {std::size_t{1}, std::size_t{10}, rows / 3, 2 * rows}) {
      SearchArguments arguments = MakeArguments(*collection, queries, k);
      for (const bool distinct : {true, false}) {
        arguments.distinct = distinct;
        CheckSearch(pool, collection, worker, arguments);
      }
    }
  }
}

void CheckWithOptions(ThreadPool& pool, const std::shared_ptr<Collection>& collection,
                      const GpuOptions& options) {
  GpuMemory memory(GpuDevice(test::TestedApi(), 0), std::uint64_t{1} << 30);
  GpuWorker worker(memory, options);
  CheckSearches(pool, collection, worker);
  CHECK_EQUAL(worker.recording_problem(), std::string());
}

std::size_t Rows() {
  if (!test::ExamplesAreSmall()) return 5000;
  return test::IsSample() ? 150 : 300;
}

TEST(AgreesWithTheSpecification) {
  ThreadPool pool(2);
  for (const std::size_t dimension : {1, 40, 129}) {
    const std::size_t rows = Rows() + dimension;
    const auto collection = MakeCollection(pool, "agrees" + std::to_string(dimension), dimension,
                                           {{test::RandomValues(rows * dimension, 1), 8},
                                            {test::AdversarialValues(rows, dimension, 2), 4},
                                            {test::AdversarialValues(rows, dimension, 3), 0},
                                            {test::AdversarialValues(rows, dimension, 4), 8}});
    given_up = completed = 0;
    CheckWithOptions(pool, collection, {});
    CheckWithOptions(pool, collection, TightOptions());
    // In one dimension all rows tie: a device may give up there, and nowhere else.
    CHECK(completed > 0);
    if (dimension > 1) CHECK_EQUAL(given_up, std::size_t{0});
  }
}

// Principal directions, four-bit codes with wide bounds, and the dimensions of models.
TEST(AgreesOnVectorsThatLeanOneWay) {
  ThreadPool pool(2);
  for (const std::size_t dimension : {64, 384}) {
    const std::size_t rows = Rows();
    std::vector<float> leaning = test::RandomValues(rows * dimension, 7);
    for (std::size_t i = 0; i < leaning.size(); ++i) {
      leaning[i] += i % dimension % 3 == 0 ? 2.0f : 0.5f;
    }
    const auto collection = MakeCollection(pool, "leaning" + std::to_string(dimension), dimension,
                                           {{leaning, 4}, {leaning, 8}});
    CHECK(collection->codes(0)->layout().directions > 0);
    GpuMemory memory(GpuDevice(test::TestedApi(), 0), std::uint64_t{1} << 30);
    for (const GpuOptions& options : {GpuOptions(), TightOptions()}) {
      GpuWorker worker(memory, options);
      for (const std::size_t queries : {1, 5, 10}) {
        CheckSearch(pool, collection, worker, MakeArguments(*collection, queries, 10));
      }
    }
  }
}

TEST(TiesStandByRowAndColumn) {
  ThreadPool pool(2);
  constexpr std::size_t kDimension = 64;
  const std::size_t rows = Rows();
  const std::vector<float> equal(rows * kDimension, 0.25f);
  std::vector<float> repeated(rows * kDimension);
  const std::vector<float> pattern = test::RandomValues(5 * kDimension, 1);
  for (std::size_t i = 0; i < repeated.size(); ++i) repeated[i] = pattern[i % pattern.size()];
  const auto all_equal = MakeCollection(pool, "equal", kDimension, {{equal, 8}, {equal, 4}});
  const auto few_equal =
      MakeCollection(pool, "repeated", kDimension, {{repeated, 8}, {repeated, 4}, {repeated, 0}});
  for (const auto& collection : {all_equal, few_equal}) {
    CheckWithOptions(pool, collection, {});
    given_up = completed = 0;
    CheckWithOptions(pool, collection, TightOptions());
    // Nothing bounds how many rows tie: here a device must give up, not result wrongly.
    CHECK(given_up > 0);
  }
}

TEST(MasksLetPassWhatTheySay) {
  ThreadPool pool(2);
  const std::size_t rows = Rows();
  const auto collection = MakeCollection(
      pool, "masked", 64,
      {{test::RandomValues(rows * 64, 1), 8}, {test::AdversarialValues(rows, 64, 2), 4}});
  GpuMemory memory(GpuDevice(test::TestedApi(), 0), std::uint64_t{1} << 30);
  for (const GpuOptions& options : {GpuOptions(), TightOptions()}) {
    GpuWorker worker(memory, options);
    for (const std::uint64_t word : {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1} << 63,
                                     std::uint64_t{0x00FF000000000F00}}) {
      for (const std::size_t queries : {1, 10}) {
        SearchArguments arguments = MakeArguments(*collection, queries, 20);
        arguments.mask_words.assign((rows + 63) / 64, word);
        CheckSearch(pool, collection, worker, arguments);
        arguments.columns = {1};
        CheckSearch(pool, collection, worker, arguments);
      }
    }
  }
}

TEST(ScalesOfQueriesChangeNothing) {
  ThreadPool pool(2);
  const std::size_t rows = Rows();
  const auto collection =
      MakeCollection(pool, "scaled", 96, {{test::RandomValues(rows * 96, 9), 8}});
  GpuMemory memory(GpuDevice(test::TestedApi(), 0), std::uint64_t{1} << 30);
  GpuWorker worker(memory, {});
  for (const std::size_t queries : {2, 9}) {
    for (const float scale : {0x1p-60f, 1.0f, 0x1p60f}) {
      SearchArguments arguments = MakeArguments(*collection, queries, 15);
      for (float& value : arguments.queries) value *= scale;
      CheckSearch(pool, collection, worker, arguments);
    }
  }
}

// Without cuBLAS batches are bounded by quantized codes; a column without one is the processor's.
TEST(GoesWithoutProducts) {
  ThreadPool pool(2);
  const std::size_t rows = Rows();
  const auto collection = MakeCollection(
      pool, "plain", 64,
      {{test::RandomValues(rows * 64, 1), 8}, {test::RandomValues(rows * 64, 2), 0}});
  GpuMemory memory(GpuDevice(test::TestedApi(), 0), std::uint64_t{1} << 30);
  GpuWorker worker(memory, {});
  SearchArguments arguments = MakeArguments(*collection, 11, 10);
  CHECK_CODE(GpuSearch(*collection, arguments, worker, false).Run(), "ECUDA_BLAS");
  arguments.columns = {0};
  CheckSearch(pool, collection, worker, arguments, false);
}

// A limit that holds no column: batches stream through a chunk, few queries go to the processor.
TEST(StreamsWhatDoesNotFit) {
  ThreadPool pool(2);
  const std::size_t rows = Rows();
  constexpr std::size_t kDimension = 128;
  const auto collection = MakeCollection(pool, "large", kDimension,
                                         {{test::RandomValues(rows * kDimension, 1), 8},
                                          {test::AdversarialValues(rows, kDimension, 2), 0}});
  GpuOptions options = TightOptions();
  options.min_candidates = 512;
  options.chunk_bytes = test::ExamplesAreSmall() ? 12u << 10 : 64u << 10;
  constexpr std::uint64_t kLimit = std::uint64_t{64} << 20;
  GpuMemory memory(GpuDevice(test::TestedApi(), 0), kLimit);
  GpuWorker worker(memory, options);
  const SearchArguments batch = MakeArguments(*collection, 20, 10);
  CheckSearch(pool, collection, worker, batch);
  // From here on the worker keeps what it has, and there is room for nothing else.
  worker.Chunk();
  memory.ReleaseIdle({});
  const GpuMemory::Ref taken = memory.Reserve(kLimit - memory.stats().used_bytes - 1000);
  CheckSearch(pool, collection, worker, batch);
  CHECK_EQUAL(memory.stats().resident_layouts, 0u);
  CHECK_CODE(GpuSearch(*collection, MakeArguments(*collection, 1, 10), worker, true).Run(),
             "ECUDA_MEMORY");
}

// A collection that is gone leaves its layouts until memory is short, and its address to the next
// one.
TEST(LayoutsBelongToOneCollection) {
  ThreadPool pool(1);
  GpuMemory memory(GpuDevice(test::TestedApi(), 0), std::uint64_t{1} << 30);
  GpuWorker worker(memory, {});
  for (std::uint32_t seed = 1; seed < 6; ++seed) {
    const auto collection =
        MakeCollection(pool, "one", 64, {{test::RandomValues(Rows() * 64, seed), 8}});
    CheckSearch(pool, collection, worker, MakeArguments(*collection, 1, 10));
  }
  CHECK_EQUAL(memory.stats().resident_layouts, 10u);
}

TEST(RefusesWrongQueries) {
  ThreadPool pool(1);
  const auto collection = MakeCollection(pool, "wrong", 4, {{test::RandomValues(400, 1), 8}});
  GpuMemory memory(GpuDevice(test::TestedApi(), 0), std::uint64_t{1} << 30);
  GpuWorker worker(memory, {});
  for (const float wrong :
       {0.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    SearchArguments arguments = MakeArguments(*collection, 2, 3);
    std::fill(arguments.queries.begin() + 4, arguments.queries.end(), wrong);
    CHECK_CODE(GpuSearch(*collection, arguments, worker, true).Run(), "EQUERY");
  }
}

}  // namespace
}  // namespace synoptic
