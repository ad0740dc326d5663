// maxsim's kernels: every table that this machine can run, bit for bit against the scalar one.

#include "kernels/max_sim_kernels.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "harness.h"

#ifndef SYNOPTIC_EMULATED
#include "kernels/cpu.h"
#endif

namespace synoptic {
namespace {

constexpr std::size_t kTokens = 131;
constexpr std::size_t kDimensions[] = {64, 128, 192, 256, 1024};

std::vector<const MaxSimKernels*> RunnableTables() {
#if defined(SYNOPTIC_EMULATED) && defined(SYNOPTIC_ARM64)
  return {&kNeonMaxSimKernels};
#elif defined(SYNOPTIC_EMULATED)
  return {&kAvx512MaxSimKernels};
#else
  std::vector<const MaxSimKernels*> tables;
  for (const Kernels* kernels : AvailableKernels()) tables.push_back(&MaxSimKernelsOf(*kernels));
  return tables;
#endif
}

// Random rows, and the extremes of int8, whose products leave int16 where two are added.
std::vector<std::int8_t> MakeTable(std::size_t dimension) {
  std::mt19937 generator(static_cast<std::uint32_t>(dimension));
  std::uniform_int_distribution<int> value(-128, 127);
  std::vector<std::int8_t> table(kTokens * dimension);
  for (std::int8_t& entry : table) entry = static_cast<std::int8_t>(value(generator));
  const auto fill = [&](std::size_t token, int with) {
    const auto row = table.begin() + static_cast<std::ptrdiff_t>(token * dimension);
    std::fill(row, row + static_cast<std::ptrdiff_t>(dimension), static_cast<std::int8_t>(with));
  };
  fill(0, 0);
  fill(1, -128);
  fill(2, 127);
  fill(3, -127);
  return table;
}

struct Query {
  std::vector<std::int8_t> rows;
  std::vector<std::int16_t> wide_rows;
  std::vector<float> scales;
  std::size_t lanes;

  MaxSimQuery View() const { return {rows.data(), wide_rows.data(), scales.data(), lanes}; }
};

float InverseNorm(const std::int8_t* row, std::size_t dimension, double numerator) {
  double square = 0;
  for (std::size_t d = 0; d < dimension; ++d) square += row[d] * row[d];
  return square == 0 ? 0.0f : static_cast<float>(numerator / std::sqrt(square));
}

// The first `count` rows of the table ask.
Query MakeQuery(const std::vector<std::int8_t>& table, std::size_t dimension, std::size_t count) {
  Query query;
  query.lanes = (count + 7) / 8 * 8;
  query.rows.resize(kMaxSimLanes * dimension);
  std::copy_n(table.begin(), count * dimension, query.rows.begin());
  query.wide_rows.assign(query.rows.begin(), query.rows.end());
  query.scales.resize(kMaxSimLanes);
  for (std::size_t q = 0; q < count; ++q) {
    query.scales[q] = InverseNorm(table.data() + q * dimension, dimension, kMaxLevel + 0.5);
  }
  return query;
}

std::vector<std::int16_t> Compare(const MaxSimKernels& kernels, const Query& query,
                                  const std::vector<std::int8_t>& table, std::size_t dimension,
                                  const std::vector<std::uint16_t>& tokens) {
  std::vector<float> norms;
  for (std::size_t token = 0; token < kTokens; ++token) {
    norms.push_back(InverseNorm(table.data() + token * dimension, dimension, 1));
  }
  std::vector<std::int16_t> levels(kTokens * kMaxSimLanes, -7);
  kernels.compare_tokens(query.View(), table.data(), dimension, norms.data(), tokens.data(),
                         tokens.size(), levels.data());
  return levels;
}

std::vector<std::uint16_t> EveryThird(std::size_t count) {
  std::vector<std::uint16_t> tokens;
  for (std::size_t token = 0; token < kTokens && tokens.size() < count; token += 3) {
    tokens.push_back(static_cast<std::uint16_t>(token));
  }
  return tokens;
}

TEST(LevelsAgreeWithScalar) {
  for (const MaxSimKernels* kernels : RunnableTables()) {
    for (const std::size_t dimension : kDimensions) {
      const auto table = MakeTable(dimension);
      for (const std::size_t lanes : {1, 8, 9, 31, 32}) {
        const Query query = MakeQuery(table, dimension, lanes);
        for (const std::size_t count : {0, 1, 2, 7, 44}) {
          const auto tokens = EveryThird(count);
          CHECK(Compare(*kernels, query, table, dimension, tokens) ==
                Compare(kScalarMaxSimKernels, query, table, dimension, tokens));
        }
      }
    }
  }
}

TEST(BestLevelsAgreeWithScalar) {
  std::mt19937 generator(5);
  std::uniform_int_distribution<int> level(0, kMaxLevel);
  std::vector<std::int16_t> levels(kTokens * kMaxSimLanes);
  for (std::int16_t& value : levels) value = static_cast<std::int16_t>(level(generator));
  for (const MaxSimKernels* kernels : RunnableTables()) {
    for (const std::size_t count : {0, 1, 2, 3, 44}) {
      const auto tokens = EveryThird(count);
      std::vector<std::int16_t> best(kMaxSimLanes, -7), expected(kMaxSimLanes, -7);
      kernels->best_levels(levels.data(), tokens.data(), count, best.data());
      kScalarMaxSimKernels.best_levels(levels.data(), tokens.data(), count, expected.data());
      CHECK(best == expected);
    }
  }
}

TEST(ScalarLevelsAreCosines) {
  constexpr std::size_t kDimension = 64;
  const auto table = MakeTable(kDimension);
  const Query query = MakeQuery(table, kDimension, 5);
  const auto levels = Compare(kScalarMaxSimKernels, query, table, kDimension, {0, 1, 2, 3, 4});
  const auto level = [&](std::size_t q, std::size_t token) {
    return static_cast<int>(levels[token * kMaxSimLanes + q]);
  };
  for (std::size_t other = 0; other < 5; ++other) {
    CHECK_EQUAL(level(0, other), 0);
    CHECK_EQUAL(level(other, 0), 0);
    CHECK_EQUAL(level(other, other), other == 0 ? 0 : kMaxLevel);
  }
  CHECK_EQUAL(level(1, 3), kMaxLevel);
  CHECK_EQUAL(level(2, 3), 0);
  CHECK_EQUAL(level(31, 4), 0);
  CHECK_EQUAL(static_cast<int>(levels[5 * kMaxSimLanes]), -7);
}

}  // namespace
}  // namespace synoptic
