#include "rows/rank_plan.h"

#include "rows/number_reader.h"

namespace synoptic {
namespace {

class PlanReader : public NumberReader {
 public:
  PlanReader(std::span<const double> numbers, std::size_t row_count)
      : NumberReader(numbers), row_count_(row_count) {}

  std::uint32_t Row() { return Whole(row_count_); }
  std::vector<std::uint32_t> Rows() {
    return List([this] { return Row(); });
  }
  RowsOf RowsOfFact() {
    if (TakesIf(-1)) return {false, 0, Rows()};
    return {true, Count(), {}};
  }

 private:
  std::size_t row_count_;
};

// Members in braces are read in their order.
std::vector<DegreeList> ReadLists(PlanReader& plan) {
  return plan.List([&] { return DegreeList{plan.RowsOfFact(), plan.Flag(), plan.Numbers<4>()}; });
}

LengthBounds ReadBounds(PlanReader& plan) { return {plan.Number(), plan.Number()}; }

LengthFact ReadLength(PlanReader& plan) {
  return {static_cast<LengthFact::Unit>(plan.Whole(5)),
          ReadBounds(plan),
          plan.Flag(),
          plan.RowsOfFact(),
          plan.Flag(),
          ReadBounds(plan),
          plan.RowsOfFact(),
          plan.Number()};
}

Fact ReadFact(PlanReader& plan) {
  switch (plan.Whole(6)) {
    case 0:
      return ListedFact{ReadLists(plan)};
    case 1:
      return YearsFact{plan.Number(), plan.Number(), plan.Numbers<4>()};
    case 2:
      return ReadLength(plan);
    case 3:
      return RampFact{static_cast<RampFact::Column>(plan.Whole(2)), plan.Number(), plan.Number(),
                      plan.Flag()};
    case 4:
      return AnyFact{ReadLists(plan), plan.Number(), plan.Number(), plan.Number()};
    default:
      return AllFact{ReadLists(plan), plan.Number()};
  }
}

Alternatives ReadAlternatives(PlanReader& plan) {
  Alternatives any = {plan.List([&] { return ReadFact(plan); }), plan.Number(), plan.Flag()};
  if (any.facts.empty()) plan.Refuse("a fact");
  return any;
}

Request ReadRequest(PlanReader& plan) {
  Request request = {plan.List([&] { return ReadAlternatives(plan); }), plan.Number(), plan.Count(),
                     plan.Flag()};
  if (request.any_of.empty()) plan.Refuse("an alternative");
  return request;
}

Example ReadExample(PlanReader& plan) {
  return {plan.Row(), plan.Number(), plan.Number(), plan.List([&] { return plan.Count(); }),
          plan.List([&] {
            const std::uint32_t row = plan.Row();
            return std::pair{row, static_cast<float>(plan.Number())};
          })};
}

LikenessRules ReadLikenessRules(PlanReader& plan) {
  return {plan.Number(), plan.Number(), plan.Number(), plan.Number(),
          plan.Number(), plan.Number(), plan.Number(), plan.Number()};
}

Likeness ReadLikeness(PlanReader& plan) {
  return {plan.List([&] { return ReadExample(plan); }), plan.Number(), plan.Number(), plan.Rows(),
          plan.Number()};
}

ChoiceRules ReadChoiceRules(PlanReader& plan) {
  return {plan.Number(), plan.Number(), plan.Number(), plan.Count(), plan.Number(), plan.Count()};
}

}  // namespace

RankPlan ReadRankPlan(std::span<const double> numbers, std::size_t row_count,
                      std::size_t stem_count) {
  PlanReader plan(numbers, row_count);
  RankPlan read = {{plan.Number(), plan.Number(), plan.Number()},
                   plan.List([&] { return ReadRequest(plan); }),
                   plan.List([&] { return Exclusion{ReadFact(plan), plan.Number()}; }),
                   ReadLikenessRules(plan),
                   ReadLikeness(plan),
                   ReadLikeness(plan),
                   plan.Rows(),
                   plan.List([&] { return TitleRow{plan.Row(), plan.Number()}; }),
                   ReadChoiceRules(plan),
                   static_cast<RankPlan::Choice>(plan.Whole(3)),
                   plan.Whole(row_count + 1),
                   plan.Flag(),
                   plan.Flag(),
                   plan.Flag(),
                   plan.Rows(),
                   plan.List([&] { return plan.Whole(stem_count); }),
                   plan.Count(),
                   plan.AtLeastZero(),
                   plan.Rows()};
  plan.End();
  return read;
}

LikestPlan ReadLikestPlan(std::span<const double> numbers, std::size_t row_count) {
  PlanReader plan(numbers, row_count);
  LikestPlan read = {ReadLikenessRules(plan), ReadExample(plan), plan.Whole(row_count + 1),
                     plan.Flag()};
  plan.End();
  return read;
}

TastePlan ReadTastePlan(std::span<const double> numbers, std::size_t row_count) {
  PlanReader plan(numbers, row_count);
  const auto read_work = [&] { return WeightedExample{ReadExample(plan), plan.Number()}; };
  TastePlan read = {ReadLikenessRules(plan), plan.List(read_work), plan.List(read_work),
                    plan.Number()};
  plan.End();
  return read;
}

LikenessesPlan ReadLikenessesPlan(std::span<const double> numbers, std::size_t row_count) {
  PlanReader plan(numbers, row_count);
  LikenessesPlan read = {ReadLikenessRules(plan), plan.List([&] { return ReadExample(plan); }),
                         plan.Rows()};
  plan.End();
  return read;
}

}  // namespace synoptic
