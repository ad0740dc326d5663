// Files of quantized codes that are stale, cut, foreign, flipped or half written are refused by
// name, and searches go on without them.

#include "quantized/quantized_codes.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "blocking_search.h"
#include "fixtures.h"
#include "harness.h"
#include "kernels/cpu.h"
#include "quantized/codes_builder.h"

namespace synoptic {
namespace {

constexpr std::size_t kRows = 3000, kDimension = 72;

std::string WriteMatrix(const std::string& name, std::uint32_t seed, std::size_t rows = kRows) {
  const std::string path = test::ScratchFile(name);
  test::WriteFile(path, test::Npy(rows, kDimension, test::RandomValues(rows * kDimension, seed)));
  return path;
}

// Rows of 256 that lie along `directions` more than anywhere else.
void WriteStrongMatrix(const std::string& path, std::size_t directions, std::size_t rows = kRows) {
  std::vector<float> values = test::RandomValues(rows * 256, 2);
  const std::vector<float> strong = test::RandomValues(directions * 256, 3);
  const std::vector<float> weights = test::RandomValues(rows * directions, 4);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t d = 0; d < 256; ++d) {
      for (std::size_t i = 0; i < directions; ++i) {
        values[row * 256 + d] += 4 * weights[row * directions + i] * strong[i * 256 + d];
      }
    }
  }
  test::WriteFile(path, test::Npy(rows, 256, values));
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

SearchArguments Arguments() {
  SearchArguments arguments;
  arguments.queries = test::RandomValues(kDimension, 5);
  arguments.query_count = 1;
  arguments.k = 12;
  arguments.columns = {0};
  return arguments;
}

// The code of the refusal, or "used".
std::string Refusal(ThreadPool& pool, const std::string& path, const SearchResult& expected) {
  const auto collection = test::OpenCollection(pool, {path}, ActiveKernels());
  SearchRunner runner(pool, collection);
  const SearchResult result = test::Search(runner, Arguments());
  CHECK(result.rows == expected.rows);
  CHECK(result.scores == expected.scores);
  if (const Error* refusal = collection->codes_refusal(0)) {
    CHECK(collection->codes(0) == nullptr);
    return refusal->code;
  }
  return collection->codes(0) == nullptr ? "none" : "used";
}

TEST(DamagedCodesAreRefused) {
  ThreadPool pool(2);
  const std::string path = WriteMatrix("m.npy", 1);
  SearchRunner plain(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
  const SearchResult expected = test::Search(plain, Arguments());
  CHECK_EQUAL(Refusal(pool, path, expected), "none");
  for (const std::size_t bits : {8, 4}) {
    const BuiltCodes built = test::BuildCodes(pool, path, bits);
    const std::string codes_path = CodesPath(path, bits);
    const std::string whole = ReadFile(codes_path);
    CHECK_EQUAL(whole.size(), built.bytes);
    CHECK_EQUAL(Refusal(pool, path, expected), "used");
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{63}, std::size_t{64},
                                   std::size_t{4095}, whole.size() - 1}) {
      test::WriteFile(codes_path, whole.substr(0, size));
      CHECK_EQUAL(Refusal(pool, path, expected), "ECODES_TRUNCATED");
    }
    test::WriteFile(codes_path, whole + '\0');
    CHECK_EQUAL(Refusal(pool, path, expected), "ECODES_TRUNCATED");
    const auto flip = [&](std::size_t at) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ 4);
      test::WriteFile(codes_path, flipped);
      return Refusal(pool, path, expected);
    };
    CHECK_EQUAL(flip(0), "ECODES_MAGIC");
    CHECK_EQUAL(flip(8), "ECODES_VERSION");
    for (const std::size_t at : {12, 16, 24, 32, 36, 40, 44, 48, 60}) {
      CHECK_EQUAL(flip(at), "ECODES_CORRUPT");
    }
    CHECK_EQUAL(flip(70), "ECODES_CORRUPT");
    CHECK_EQUAL(flip(4096), "ECODES_CORRUPT");
    CHECK_EQUAL(flip(whole.size() / 2), "ECODES_CORRUPT");
    CHECK_EQUAL(flip(whole.size() - 1), "ECODES_CORRUPT");
    // The other kind under this name.
    test::WriteFile(codes_path, whole);
    const std::string other_path = CodesPath(path, 12 - bits);
    std::filesystem::rename(codes_path, other_path);
    CHECK_EQUAL(Refusal(pool, path, expected), "ECODES_CORRUPT");
    std::filesystem::remove(other_path);
  }
}

TEST(StaleCodesAreRefused) {
  ThreadPool pool(2);
  const std::string path = WriteMatrix("stale.npy", 1);
  test::BuildCodes(pool, path, 8);
  const std::string codes = ReadFile(CodesPath(path, 8));
  const auto refusal = [&] {
    std::filesystem::remove(CodesPath(path, 8));
    SearchRunner plain(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
    const SearchResult expected = test::Search(plain, Arguments());
    test::WriteFile(CodesPath(path, 8), codes);
    return Refusal(pool, path, expected);
  };
  // Other values of the same shape; one value changed; other rows.
  WriteMatrix("stale.npy", 2);
  CHECK_EQUAL(refusal(), "ECODES_STALE");
  std::vector<float> values = test::RandomValues(kRows * kDimension, 1);
  values.back() += 0.5f;
  test::WriteFile(path, test::Npy(kRows, kDimension, values));
  CHECK_EQUAL(refusal(), "ECODES_STALE");
  WriteMatrix("stale.npy", 1, kRows - 1);
  CHECK_EQUAL(refusal(), "ECODES_STALE");
  WriteMatrix("stale.npy", 1);
  CHECK_EQUAL(refusal(), "used");
}

TEST(BuildingChoosesAndReplaces) {
  ThreadPool pool(2);
  const std::string path = WriteMatrix("plan.npy", 1);
  CHECK_EQUAL(test::BuildCodes(pool, path, 4).bits, 4u);
  CHECK_EQUAL(test::BuildCodes(pool, path, 8).bits, 8u);
  CHECK(!std::filesystem::exists(CodesPath(path, 4)));
  // Isotropic rows: four bits rule too little out.
  const BuiltCodes isotropic = test::BuildCodes(pool, path, 0);
  CHECK_EQUAL(isotropic.bits, 8u);
  CHECK(isotropic.predicted_candidates > 0);
  // A few strong directions: four bits are enough. And a handful of rows needs none.
  WriteStrongMatrix(path, 4);
  CHECK_EQUAL(test::BuildCodes(pool, path, 0).bits, 4u);
  CHECK(!std::filesystem::exists(CodesPath(path, 8)));
  WriteMatrix("plan.npy", 1, 100);
  CHECK_EQUAL(test::BuildCodes(pool, path, 0).bits, 0u);
  CHECK(!std::filesystem::exists(CodesPath(path, 4)));
}

TEST(CodesSplitOffTheDirectionsThatPay) {
  ThreadPool pool(2);
  const std::string path = test::ScratchFile("directions.npy");
  const auto directions = [&](std::size_t bits) {
    test::BuildCodes(pool, path, bits);
    return test::OpenCollection(pool, {path}, ActiveKernels())->codes(0)->layout().directions;
  };
  WriteStrongMatrix(path, 8);
  CHECK_EQUAL(directions(4), 8u);
  CHECK_EQUAL(directions(8), 2u);
  WriteStrongMatrix(path, 2);
  CHECK_EQUAL(directions(4), 2u);
  CHECK_EQUAL(directions(8), 2u);
  test::WriteFile(path, test::Npy(kRows, 256, test::RandomValues(kRows * 256, 5)));
  CHECK_EQUAL(directions(8), 0u);
}

TEST(CodesAreWholeWhateverTheirSize) {
  ThreadPool pool(2);
  const std::string path = test::ScratchFile("large.npy");
  WriteStrongMatrix(path, 2, 20000);
  for (const std::size_t bits : {4, 8}) {
    const BuiltCodes built = test::BuildCodes(pool, path, bits);
    CHECK(built.bytes > std::size_t{2} << 20);
    CHECK_EQUAL(std::filesystem::file_size(CodesPath(path, bits)), built.bytes);
    // Opening checks the hash of every chunk.
    CHECK(test::OpenCollection(pool, {path}, ActiveKernels())->codes(0) != nullptr);
  }
}

TEST(MatricesOfFewRowsHaveCodesToo) {
  ThreadPool pool(1);
  for (const std::size_t rows : {0, 1, 15, 16, 17, 257}) {
    const std::string path = WriteMatrix("few.npy", 1, rows);
    for (const std::size_t bits : {4, 8}) {
      CHECK_EQUAL(test::BuildCodes(pool, path, bits).bits, bits);
      const auto collection = test::OpenCollection(pool, {path}, ActiveKernels());
      CHECK(collection->codes(0) != nullptr);
    }
  }
}

TEST(ACancelledBuildLeavesNothingBehind) {
  ThreadPool pool(1);
  const std::string path = WriteMatrix("cancel.npy", 1);
  const auto files = [&] {
    std::size_t count = 0;
    const auto folder = std::filesystem::path(path).parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      count += entry.path().filename().string().starts_with("cancel.npy");
    }
    return count;
  };
  std::promise<void> settled;
  std::shared_ptr<BlockJob> job;
  std::promise<void> started;
  std::promise<void> cancelled;
  job = BuildCodes(
      pool, ActiveKernels(), {path, 8},
      [&](std::size_t done, std::size_t) {
        if (done != 2) return;
        started.set_value();
        cancelled.get_future().wait();
      },
      [&](std::exception_ptr error, BuiltCodes) {
        if (error != nullptr) {
          settled.set_exception(error);
        } else {
          settled.set_value();
        }
      });
  started.get_future().wait();
  CHECK_EQUAL(files(), 2u);
  job->Cancel();
  cancelled.set_value();
  CHECK_CODE(settled.get_future().get(), "ECANCELLED");
  CHECK_EQUAL(files(), 1u);
}

TEST(CodesThatCannotBeWrittenAreAnError) {
  ThreadPool pool(1);
  CHECK_CODE(test::BuildCodes(pool, test::ScratchFile("none.npy"), 8), "EFILE_OPEN");
  const std::string path = WriteMatrix("blocked.npy", 1);
  // A folder is where the codes would go.
  std::filesystem::create_directory(CodesPath(path, 8));
  CHECK_CODE(test::BuildCodes(pool, path, 8), "ECODES_WRITE");
}

}  // namespace
}  // namespace synoptic
