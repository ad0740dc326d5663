// Any plan for facts whose lists are damaged, too: either an Error EARGUMENT, or rows that the
// index has, in their order. Each byte is a number of the plan, so that most of them are rows,
// lengths of lists and flags.

#include <cstdlib>
#include <limits>

#include "base/error.h"
#include "fact_sections.h"
#include "harness.h"
#include "rows/rank_rows.h"
#include "rows/row_filter.h"
#include "rows/taste.h"
#include "target.h"

namespace {

using namespace synoptic;

constexpr std::uint32_t kRows = 24;

double NumberOf(std::uint8_t byte) {
  static constexpr double kSpecial[] = {-1,
                                        0.5,
                                        0.9,
                                        -0.25,
                                        1e-300,
                                        1e300,
                                        std::numeric_limits<double>::infinity(),
                                        std::numeric_limits<double>::quiet_NaN()};
  constexpr std::uint8_t kFirstSpecial = 256 - sizeof(kSpecial) / sizeof(double);
  return byte >= kFirstSpecial ? kSpecial[byte - kFirstSpecial] : byte % 40;
}

std::shared_ptr<const FactTables> Tables(bool are_damaged) {
  auto sections = test::FactSections(kRows, 7);
  if (are_damaged) {
    for (auto& [name, bytes] : sections) {
      if (name.find(".weights") == std::string::npos) {
        for (std::size_t i = 0; i < bytes.size(); i += 5) bytes[i] = static_cast<char>(i * 37);
      }
    }
  }
  const test::StemRows stems = {{"a", {{0, 3}, {7, 900}, {23, 65535}}}, {"b", {{7, 1}, {8, 2}}}};
  const std::string file = test::RowsFile(kRows, stems, {}, sections);
  return std::make_shared<const FactTables>(RowIndex::Of({file.begin(), file.end()}, {}));
}

void CheckRank(const FactTables& tables, const std::vector<double>& numbers) {
  const RankPlan plan = ReadRankPlan(numbers, kRows, tables.index->stems().size());
  const RowMask mask = {0xf7, 0xff, 0x0f};
  const RankedRows ranked = RankRows(tables, plan, mask, {});
  const std::size_t columns = 5 + plan.requests.size();
  if (ranked.are_chosen && ranked.features.size() != ranked.rows.size() * columns) std::abort();
  for (std::size_t i = 0; i < ranked.rows.size(); ++i) {
    if (ranked.rows[i] >= kRows) std::abort();
    if (i > 0 && ranked.rows[i] <= ranked.rows[i - 1]) std::abort();
  }
}

void CheckTaste(const FactTables&, const std::vector<double>& numbers) {
  const TastePlan plan = ReadTastePlan(numbers, kRows);
  if (plan.liked.size() + plan.disliked.size() > numbers.size()) std::abort();
}

void CheckLikenesses(const FactTables&, const std::vector<double>& numbers) {
  for (const std::uint32_t row : ReadLikenessesPlan(numbers, kRows).rows) {
    if (row >= kRows) std::abort();
  }
}

void CheckFilter(const FactTables& tables, const std::vector<double>& numbers) {
  const RowMask mask = RowsThatPass(tables, ReadRowFilter(numbers));
  if (mask.size() != kRows / 8) std::abort();
}

void CheckLikest(const FactTables& tables, const std::vector<double>& numbers) {
  const LikestPlan plan = ReadLikestPlan(numbers, kRows);
  for (const std::uint32_t row : FindLikest(tables, plan, {}).rows) {
    if (row >= kRows) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto whole = Tables(false);
  static const auto damaged = Tables(true);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < size; ++i) numbers.push_back(NumberOf(data[i]));
  for (const auto& tables : {whole, damaged}) {
    for (const auto& check : {CheckRank, CheckLikest, CheckTaste, CheckLikenesses, CheckFilter}) {
      try {
        check(*tables, numbers);
      } catch (const Error& error) {
        if (error.code != "EARGUMENT") std::abort();
      }
    }
  }
  return 0;
}

std::vector<std::string> synoptic::test::FuzzSeeds() {
  std::string plan;
  const auto add = [&](const std::vector<int>& bytes) {
    for (const int byte : bytes) plan.push_back(static_cast<char>(byte));
  };
  constexpr int kOwn = 248;
  constexpr int kHalf = 249;
  const auto add_example = [&] { add({3, 20, 1, 1, 2, 2, 5, kHalf, 6, kHalf}); };
  const std::vector<int> likeness_rules = {kHalf, 1, kHalf, kHalf, 20, kHalf, 4, kHalf};
  add({kHalf, kHalf, 0});
  // Two requests: one of two alternatives, one of a year.
  add({2,    1, 2, 0, 1, 2, 1, 0, kHalf, kHalf, 1, 4,     1,
       kOwn, 3, 1, 5, 9, 0, 1, 1, 1,     1,     2, kHalf, 2});
  add({1, 1, 1, 0, 0});
  add({1, 1, 1, 7, 7, 1, kHalf, 0, 0, 1, 0, 1, 2, 1});
  // What is excluded: a length, lists together, and what is well known.
  add({3, 2, 0, 3, 12, kHalf, kHalf, 1, 1, 1, 3, 9, kHalf, 2, kHalf, 1});
  add({5, 1, 0, 0, 1, 1, 1, 1, 2, 1, 3, 0, 1, 5, 1, 1});
  add(likeness_rules);
  add({2});
  add_example();
  add_example();
  add({kHalf, 0, 1, 4, 0, 1});
  add_example();
  add({0, 0, 0, 0});
  add({2, 8, 9, 1, 7, 1, 1, kHalf, 1});
  add({kHalf, kHalf, kHalf, kHalf, kHalf, kHalf, 10, kHalf, 10});
  add({1, 12, 0, 1, 1, 3, 4, 9, 2, 1, 11});
  const std::string whole = plan;
  plan.clear();
  add(likeness_rules);
  add_example();
  add({9, 1});
  const std::string likest = plan;
  plan.clear();
  add({2, 2, 0, 3, 1, 5, 1, 2, 9, 30, 4, 1});
  return {whole, likest, plan};
}
