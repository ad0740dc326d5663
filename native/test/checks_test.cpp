// Hashes of a file's blocks, and checks that keep to a budget.

#include <chrono>
#include <cstdint>
#include <exception>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash64.h"
#include "harness.h"
#include "io/block_hashes.h"
#include "threads/paced_checks.h"

namespace synoptic {
namespace {

BlockHashes HashesOf(const std::string& bytes) {
  BlockHashes hashes = {bytes.size(), {}};
  for (std::size_t begin = 0; begin < bytes.size(); begin += kHashedBlockBytes) {
    const std::string block = bytes.substr(begin, kHashedBlockBytes);
    hashes.hashes.push_back(Hash64(block.data(), block.size()));
  }
  return hashes;
}

std::string SomeBytes(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 2654435761U >> 13);
  return bytes;
}

void CheckAll(const std::string& path, const BlockHashes& hashes) {
  const MappedFile file = MappedFile::Open(path);
  hashes.CheckShape(file);
  for (std::size_t block = 0; block < hashes.hashes.size(); ++block) hashes.Check(file, block);
}

struct Outcome {
  std::exception_ptr error;
  std::size_t bytes;
};

// Runs checks to their end.
Outcome RunChecks(std::vector<PacedCheck> checks, double bytes_per_second) {
  std::promise<Outcome> outcome;
  PacedChecks::Start(
      std::move(checks), bytes_per_second,
      [&](std::exception_ptr error, std::size_t bytes) { outcome.set_value({error, bytes}); });
  return outcome.get_future().get();
}

std::string CodeOf(std::exception_ptr error) {
  if (error == nullptr) return "";
  try {
    std::rethrow_exception(error);
  } catch (const Error& caught) {
    return caught.code;
  }
}

TEST(ABlockThatDiffersByABitIsFound) {
  const std::string path = test::ScratchFile("blocks");
  const std::string whole = SomeBytes(2 * kHashedBlockBytes + 777);
  const BlockHashes hashes = HashesOf(whole);
  test::WriteFile(path, whole);
  CheckAll(path, hashes);
  for (const std::size_t at : {std::size_t{0}, kHashedBlockBytes - 1, kHashedBlockBytes,
                               kHashedBlockBytes * 3 / 2, whole.size() - 1}) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x80);
    test::WriteFile(path, changed);
    CHECK_CODE(CheckAll(path, hashes), "EFILE_DAMAGED");
  }
}

TEST(AFileOfAnotherSizeIsRefusedAndBytesBehindAreIgnored) {
  const std::string path = test::ScratchFile("blocks");
  const std::string whole = SomeBytes(kHashedBlockBytes + 5);
  const BlockHashes hashes = HashesOf(whole);
  test::WriteFile(path, whole.substr(1));
  CHECK_CODE(CheckAll(path, hashes), "EFILE_DAMAGED");
  test::WriteFile(path, whole + "more");
  CheckAll(path, hashes);
  BlockHashes fewer = hashes;
  fewer.hashes.pop_back();
  CHECK_CODE(CheckAll(path, fewer), "EFILE_DAMAGED");
}

TEST(ChecksRunInTheirOrderUntilOneThrows) {
  std::vector<int> ran;
  std::vector<PacedCheck> checks;
  for (int i = 0; i < 5; ++i) {
    checks.push_back({10, [&ran, i] {
                        ran.push_back(i);
                        if (i == 3) throw Error("EFILE_DAMAGED", "here");
                      }});
  }
  const Outcome outcome = RunChecks(checks, 1e12);
  CHECK_EQUAL(CodeOf(outcome.error), std::string("EFILE_DAMAGED"));
  CHECK_EQUAL(outcome.bytes, std::size_t{30});
  CHECK_EQUAL(ran.size(), std::size_t{4});
  CHECK_EQUAL(ran.back(), 3);
  CHECK_EQUAL(RunChecks({}, 1).bytes, std::size_t{0});
}

TEST(ChecksReadNoMoreThanTheirBudget) {
  std::vector<PacedCheck> checks(5, {100, [] {}});
  const auto begin = std::chrono::steady_clock::now();
  CHECK_EQUAL(RunChecks(checks, 10'000).bytes, std::size_t{500});
  // The first goes at once, the other four wait for 10 ms each.
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(35));
}

TEST(ChecksThatAreCancelledEndWithoutWaiting) {
  std::promise<Outcome> outcome;
  const auto held = std::make_shared<int>(0);
  std::vector<PacedCheck> checks(2, {1'000'000, [held] {}});
  const auto paced = PacedChecks::Start(
      std::move(checks), 1,
      [&](std::exception_ptr error, std::size_t bytes) { outcome.set_value({error, bytes}); });
  paced->Cancel();
  CHECK_EQUAL(CodeOf(outcome.get_future().get().error), std::string("ECANCELLED"));
  // What they kept alive is gone before the callback.
  CHECK_EQUAL(held.use_count(), 1L);
}

}  // namespace
}  // namespace synoptic
