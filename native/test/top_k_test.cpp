#include "engine/top_k.h"

#include <algorithm>
#include <random>

#include "harness.h"

namespace synoptic {
namespace {

TEST(KeepsTheFirstOfTheTotalOrder) {
  std::mt19937 generator(1);
  for (const std::size_t count : {0, 1, 2, 10, 500}) {
    for (const std::size_t k : {0, 1, 2, 9, 10, 499, 501, 5000}) {
      std::vector<Hit> hits(count);
      for (std::size_t i = 0; i < count; ++i) {
        // Few distinct scores, so that rows and columns decide most comparisons.
        hits[i] = {static_cast<float>(generator() % 5) - 2, static_cast<std::uint32_t>(i / 3),
                   static_cast<std::uint16_t>(i % 3)};
      }
      std::vector<Hit> expected = hits;
      std::sort(expected.begin(), expected.end(), RanksBefore);
      expected.resize(std::min(k, count));
      for (int round = 0; round < 3; ++round) {
        std::shuffle(hits.begin(), hits.end(), generator);
        TopK top(k);
        for (const Hit& hit : hits) top.Push(hit);
        const std::vector<Hit> actual = top.Take();
        CHECK_EQUAL(actual.size(), expected.size());
        for (std::size_t i = 0; i < actual.size(); ++i) {
          CHECK_EQUAL(actual[i].score, expected[i].score);
          CHECK_EQUAL(actual[i].row, expected[i].row);
          CHECK_EQUAL(actual[i].column, expected[i].column);
        }
      }
    }
  }
}

TEST(ThresholdRefusesNothingThatCouldEnter) {
  TopK top(2);
  CHECK_EQUAL(top.Threshold(), -std::numeric_limits<float>::infinity());
  top.Push({0.5f, 9, 0});
  top.Push({0.25f, 8, 0});
  CHECK_EQUAL(top.Threshold(), 0.25f);
  top.Push({0.25f, 7, 0});
  CHECK_EQUAL(top.Take().back().row, 7u);
  CHECK_EQUAL(TopK(0).Threshold(), std::numeric_limits<float>::infinity());
}

TEST(NegativeZeroTiesWithZero) {
  TopK top(1);
  top.Push({0.0f, 2, 0});
  top.Push({-0.0f, 1, 0});
  CHECK_EQUAL(top.Take().front().row, 1u);
}

}  // namespace
}  // namespace synoptic
