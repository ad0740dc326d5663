// Passes over all rows: the same for any number of threads, whatever the bytes of the index are.
// test/native/rank.test.ts compares them with plain loops in TypeScript.

#include <future>

#include "fact_sections.h"
#include "fixtures.h"
#include "harness.h"
#include "rows/rank_rows.h"
#include "rows/taste.h"
#include "rows_file.h"

namespace synoptic {
namespace {

constexpr std::uint32_t kRows = 500;
constexpr LikenessRules kRules = {0.1, 0.25, 0.05, 0.05, 20, 0.035, 4, 0.8};

std::shared_ptr<const FactTables> Tables(const test::Sections& sections) {
  const std::string file = test::RowsFile(kRows, {}, {}, sections);
  return std::make_shared<const FactTables>(RowIndex::Of({file.begin(), file.end()}, {}));
}

TastePlan PlanOf(std::uint32_t liked, std::uint32_t disliked) {
  TastePlan plan = {kRules, {}, {}, 0.5};
  for (std::uint32_t row = 0; row < liked; ++row)
    plan.liked.push_back({{row, 2000, 1, {}, {}}, 1.0 / (row + 1)});
  for (std::uint32_t row = 0; row < disliked; ++row) {
    plan.disliked.push_back({{kRows - 1 - row, 0, 0.5, {}, {{row, 0.5f}}}, 1});
  }
  return plan;
}

std::vector<float> TasteOf(unsigned threads, const std::shared_ptr<const FactTables>& tables,
                           TastePlan plan) {
  ThreadPool pool(threads);
  std::promise<std::vector<float>> promise;
  StartTaste(pool, tables, std::move(plan), [&](std::exception_ptr, std::vector<float> scores) {
    promise.set_value(std::move(scores));
  });
  return promise.get_future().get();
}

TEST(TasteIsTheSameForAnyNumberOfThreads) {
  const auto tables = Tables(test::FactSections(kRows, 3));
  const auto expected = TasteOf(1, tables, PlanOf(30, 12));
  CHECK(expected.size() == kRows);
  for (const unsigned threads : {2u, 3u, 8u}) {
    CHECK(TasteOf(threads, tables, PlanOf(30, 12)) == expected);
  }
  CHECK(TasteOf(2, tables, PlanOf(0, 0)) == std::vector<float>(kRows));
}

TEST(FactsOfAnotherNumberOfRowsAreRefused) {
  for (const char* name : {"year", "popularity", "continued", "norm", "trait.kinds",
                           "recommended.norms", "fact.weights"}) {
    auto sections = test::FactSections(kRows, 5);
    for (auto& [own, bytes] : sections) {
      if (own == name) bytes.resize(bytes.size() / 2);
    }
    CHECK_CODE(Tables(sections), "EROWS_FORMAT");
  }
  CHECK_CODE(Tables({}), "EROWS_FORMAT");
}

}  // namespace
}  // namespace synoptic
