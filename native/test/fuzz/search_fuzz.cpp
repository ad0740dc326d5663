// Any arguments of a search: a result of the promised shape, the same with quantized codes and
// without, or an Error EARGUMENT or EQUERY.

#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "blocking_search.h"
#include "fixtures.h"
#include "harness.h"
#include "kernels/cpu.h"
#include "target.h"

namespace synoptic {
namespace {

// Enough rows for the codes of the first column to be used.
constexpr std::size_t kRows = 2100, kDimension = 5, kMaskWords = (kRows + 63) / 64;

// The same matrices with quantized codes and without.
struct Runners {
  SearchRunner coded;
  SearchRunner plain;
};

Runners& TheRunners() {
  static Runners* runners = [] {
    auto* pool = new ThreadPool(1);
    const auto open = [&](const std::string& name, bool coded) {
      std::vector<std::string> paths;
      for (const std::uint32_t seed : {1u, 2u}) {
        paths.push_back(test::ScratchFile(name + std::to_string(seed) + ".npy"));
        test::WriteFile(paths.back(), test::Npy(kRows, kDimension,
                                                test::AdversarialValues(kRows, kDimension, seed)));
      }
      if (coded) test::BuildCodes(*pool, paths.front(), 8);
      return test::OpenCollection(*pool, paths, ActiveKernels());
    };
    return new Runners{{*pool, open("coded", true)}, {*pool, open("plain", false)}};
  }();
  return *runners;
}

// The input's bytes, again and again: a short one can stand for many queries.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t Next() { return data_[at_++ % size_]; }
  template <class Value>
  std::vector<Value> Take(std::size_t count) {
    std::vector<Value> values(count);
    for (Value& value : values) {
      std::uint8_t bytes[sizeof(Value)];
      for (std::uint8_t& byte : bytes) byte = Next();
      std::memcpy(&value, bytes, sizeof(Value));
    }
    return values;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace
}  // namespace synoptic

// Bytes: counts of queries, of k and of columns, the mask's and the queries' length, distinct; then
// columns, mask, queries.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace synoptic;
  if (size == 0) return 0;
  Bytes bytes(data, size);
  SearchArguments arguments;
  arguments.query_count = bytes.Next() % 20;
  arguments.k = bytes.Next();
  if (arguments.k == 255) arguments.k = ~std::size_t{0};
  if (arguments.k > 240) arguments.k *= 50;
  const std::size_t columns = bytes.Next() % 4;
  const std::uint8_t lengths = bytes.Next();
  arguments.distinct = bytes.Next() % 2 == 0;
  for (std::size_t i = 0; i < columns; ++i) {
    arguments.columns.push_back(columns < 3 ? static_cast<std::uint16_t>(i) : bytes.Next());
  }
  // Mostly of the right length or none, so that searches run.
  const std::size_t wrong = lengths / 16;
  if (lengths % 4 == 0) arguments.mask_words = bytes.Take<std::uint64_t>(kMaskWords);
  if (lengths % 16 == 1) arguments.mask_words = bytes.Take<std::uint64_t>(wrong);
  arguments.queries =
      bytes.Take<float>(lengths % 16 == 2 ? wrong : arguments.query_count * kDimension);
  try {
    const SearchResult result = test::Search(TheRunners().coded, arguments);
    const SearchResult plain = test::Search(TheRunners().plain, arguments);
    if (result.rows != plain.rows || result.columns != plain.columns ||
        result.scores != plain.scores || result.counts != plain.counts) {
      std::abort();
    }
    const std::size_t hits = arguments.query_count * arguments.k;
    if (result.rows.size() != hits || result.scores.size() != hits) std::abort();
    for (std::size_t query = 0; query < arguments.query_count; ++query) {
      if (result.counts[query] > arguments.k) std::abort();
      for (std::size_t j = 0; j < result.counts[query]; ++j) {
        if (result.rows[query * arguments.k + j] >= kRows) std::abort();
      }
    }
  } catch (const Error& error) {
    if (error.code != "EARGUMENT" && error.code != "EQUERY") std::abort();
  }
  return 0;
}

std::vector<std::string> synoptic::test::FuzzSeeds() {
  const auto with = [](std::string head, std::size_t floats) {
    const std::vector<float> values = RandomValues(floats, 3);
    head.append(reinterpret_cast<const char*>(values.data()), floats * sizeof(float));
    return head;
  };
  return {with(std::string("\x01\x03\x02\x03\x00", 5), 5),
          with(std::string("\x0c\x50\x01\x03\x01", 5), 60),
          with(std::string("\x02\x02\x01\x00\x00", 5), 21)};
}
