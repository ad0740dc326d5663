// The maxsim index: many requests at once, cancelled ones, lost files. Its numbers are held against
// a plain oracle in test/native/max-sim.test.ts.

#include "maxsim/max_sim.h"

#include <cstring>
#include <future>
#include <random>

#include "base/crc32.h"
#include "harness.h"
#include "kernels/cpu.h"
#include "maxsim/max_sim_run.h"

namespace synoptic {
namespace {

constexpr std::size_t kTokens = 500;
constexpr std::size_t kDimension = 64;
constexpr std::size_t kRows = 700;

template <class T>
void Append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::uint32_t Crc(std::uint32_t before, const std::string& bytes) {
  return Crc32(before, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

// A file as token_lists.h describes it; row r has the tokens r, r + 7, ... below `kTokens`.
std::string TokensFile() {
  std::string positions, tokens;
  std::uint32_t total = 0;
  Append(positions, total);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t token = row; token < kTokens; token += 7) {
      Append(tokens, static_cast<std::uint16_t>(token));
      ++total;
    }
    Append(positions, total);
  }
  std::string head = "SYNTOKEN";
  for (const std::size_t word : {std::size_t{1}, kTokens, kRows, std::size_t{total}}) {
    Append(head, static_cast<std::uint32_t>(word));
  }
  Append(head, Crc(0, positions + tokens));
  const std::string source(32, '\0');
  const std::uint32_t checksum = Crc(Crc(0, head), source);
  Append(head, checksum);
  return head + source + positions + tokens;
}

MaxSimFiles WriteFiles(const std::string& name) {
  std::mt19937 generator(3);
  std::uniform_int_distribution<int> value(-128, 127);
  std::string table;
  for (std::size_t i = 0; i < kTokens * kDimension; ++i)
    table += static_cast<char>(value(generator));
  table.append(kTokens * sizeof(float), '\0');
  const MaxSimFiles files = {test::ScratchFile(name + ".table"),
                             kTokens,
                             kDimension,
                             {test::ScratchFile(name + ".tokens")},
                             {SourceHash{}}};
  test::WriteFile(files.table, table);
  test::WriteFile(files.lists[0], TokensFile());
  return files;
}

std::shared_ptr<MaxSim> Open(ThreadPool& pool, const MaxSimFiles& files) {
  std::promise<std::shared_ptr<MaxSim>> opened;
  MaxSim::Open(pool, ActiveKernels(), files, [&](std::exception_ptr error, auto index) {
    error == nullptr ? opened.set_value(std::move(index)) : opened.set_exception(error);
  });
  return opened.get_future().get();
}

std::future<MaxSimResult> Start(ThreadPool& pool, const std::shared_ptr<const MaxSim>& index,
                                MaxSimArguments arguments,
                                std::shared_ptr<MaxSimRun>* started = nullptr) {
  const auto promise = std::make_shared<std::promise<MaxSimResult>>();
  const auto run = MaxSimRun::Start(
      pool, index, std::move(arguments), [promise](std::exception_ptr error, MaxSimResult result) {
        error == nullptr ? promise->set_value(std::move(result)) : promise->set_exception(error);
      });
  if (started != nullptr) *started = run;
  return promise->get_future();
}

MaxSimArguments Ask(std::size_t first, std::size_t count) {
  MaxSimArguments arguments;
  for (std::size_t q = 0; q < count; ++q) {
    arguments.tokens.push_back(static_cast<std::uint16_t>((first + q * 3) % kTokens));
  }
  arguments.exponents = {3};
  arguments.full_levels = {20000};
  arguments.weights.assign(count, 1.0f);
  return arguments;
}

TEST(RequestsAtTheSameTimeDoNotMix) {
  ThreadPool pool(4);
  ThreadPool single(1);
  const auto index = Open(pool, WriteFiles("together"));
  std::vector<std::future<MaxSimResult>> results;
  for (std::size_t request = 0; request < 24; ++request) {
    results.push_back(Start(pool, index, Ask(request, 20 + request * 3)));
  }
  for (std::size_t request = 0; request < 24; ++request) {
    const MaxSimResult expected = Start(single, index, Ask(request, 20 + request * 3)).get();
    const MaxSimResult result = results[request].get();
    CHECK(result.scores == expected.scores);
    CHECK(result.together == expected.together);
    CHECK(result.columns == expected.columns);
  }
}

TEST(FewRowsScoreAsAllDo) {
  ThreadPool pool(2);
  const auto index = Open(pool, WriteFiles("few"));
  const MaxSimResult all = Start(pool, index, Ask(1, 40)).get();
  MaxSimArguments arguments = Ask(1, 40);
  arguments.rows = {699, 3, 3, 0};
  const MaxSimResult some = Start(pool, index, arguments).get();
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK_EQUAL(some.scores[i], all.scores[(*arguments.rows)[i]]);
    // There is one text a row.
    CHECK_EQUAL(some.together[i], some.scores[i]);
  }
  // Row 699 has no token below 500.
  CHECK_EQUAL(some.columns[0], MaxSim::kNoColumn);
}

// The texts of TokensFile.
TokenLists Texts() {
  std::vector<std::uint16_t> tokens;
  std::vector<std::uint32_t> ends;
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t token = row; token < kTokens; token += 7) {
      tokens.push_back(static_cast<std::uint16_t>(token));
    }
    ends.push_back(static_cast<std::uint32_t>(tokens.size()));
  }
  return TokenLists::Of(std::move(tokens), ends, kTokens);
}

TEST(TextsInNoFileScoreAsThoseInAFile) {
  ThreadPool pool(2);
  const MaxSimFiles files = WriteFiles("texts");
  const auto index = Open(pool, files);
  MaxSimFiles table_alone = files;
  table_alone.lists.clear();
  table_alone.sources.clear();
  const auto table = Open(pool, table_alone);
  CHECK_EQUAL(table->rows(), std::size_t{0});
  CHECK_EQUAL(Start(pool, table, Ask(2, 50)).get().scores.size(), std::size_t{0});
  const MaxSimResult expected = Start(pool, index, Ask(2, 50)).get();
  for (const auto& origin : {index, table}) {
    const MaxSimResult result = Start(pool, MaxSim::WithTexts(origin, Texts()), Ask(2, 50)).get();
    CHECK(result.scores == expected.scores);
    CHECK(result.together == expected.together);
    CHECK(result.columns == expected.columns);
  }
}

TEST(TextsAreChecked) {
  CHECK_CODE(TokenLists::Of({1, 2, 3}, {2}, 4), "EARGUMENT");
  CHECK_CODE(TokenLists::Of({1, 2, 3}, {2, 1, 3}, 4), "EARGUMENT");
  CHECK_CODE(TokenLists::Of({1, 2, 3}, {4}, 4), "EARGUMENT");
  CHECK_CODE(TokenLists::Of({1, 2, 4}, {3}, 4), "EARGUMENT");
  CHECK_CODE(TokenLists::Of({1}, {}, 4), "EARGUMENT");
  CHECK_EQUAL(TokenLists::Of({}, {}, 4).rows(), std::size_t{0});
  CHECK_EQUAL(TokenLists::Of({3}, {0, 1, 1}, 4).rows(), std::size_t{3});
}

TEST(CancelledRunsEndOnce) {
  ThreadPool pool(2);
  const auto index = Open(pool, WriteFiles("cancelled"));
  std::size_t cancelled = 0;
  for (int round = 0; round < 50; ++round) {
    std::shared_ptr<MaxSimRun> run;
    auto result = Start(pool, index, Ask(0, 200), &run);
    run->Cancel();
    try {
      CHECK_EQUAL(result.get().scores.size(), kRows);
    } catch (const Error& error) {
      CHECK_EQUAL(error.code, std::string("ECANCELLED"));
      ++cancelled;
    }
  }
  CHECK(cancelled > 0);
}

#ifndef _WIN32  // which refuses to cut a mapped file
TEST(FilesThatAreCutAreErrorsOfTheRequest) {
  // One thread: a race detector takes the zero pages that the guard maps for an ordinary write.
  ThreadPool pool(1);
  const MaxSimFiles files = WriteFiles("cut");
  const auto index = Open(pool, files);
  for (const std::string& path : {files.lists[0], files.table}) {
    test::WriteFile(path, "");
    CHECK_CODE(Start(pool, index, Ask(0, 20)).get(), "EFILE_CHANGED");
  }
}
#endif

TEST(AnIndexOutlivesItsHandleWhileItRuns) {
  ThreadPool pool(2);
  auto index = Open(pool, WriteFiles("outlives"));
  auto result = Start(pool, index, Ask(0, 100));
  index.reset();
  CHECK_EQUAL(result.get().scores.size(), kRows);
}

}  // namespace
}  // namespace synoptic
