// What one search requests of all rows. src/search/facts and src/search/knowledge make plans and
// say what each number means; src/native/addon/rank-plan.ts writes them as one array of numbers, in
// the order of the members below: a list as its length and its members, a flag as 0 or 1, and a
// kind as its number.

#ifndef SYNOPTIC_ROWS_RANK_PLAN_H_
#define SYNOPTIC_ROWS_RANK_PLAN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace synoptic {

// A list of the index by its number, or, after a -1, rows of the plan's own.
struct RowsOf {
  bool is_listed = false;
  std::uint32_t list = 0;
  std::vector<std::uint32_t> own;
};

// A list of rows and to which degree they have a fact. Of a weighted list the degree depends on
// the weight of each row, 0 to 3.
struct DegreeList {
  RowsOf rows;
  bool is_weighted = false;
  std::array<double, 4> degrees = {};
};

// Rows have the degree of the best of their lists.
struct ListedFact {
  std::vector<DegreeList> lists;
};

struct YearsFact {
  double from, to;
  // Of years so far away from a single one.
  std::array<double, 4> near;
};

struct LengthBounds {
  double min, max;
};

struct LengthFact {
  enum class Unit { kEpisodes, kVolumes, kChapters, kMinutes, kEpisodeMinutes } unit;
  LengthBounds bounds;
  // A single episode is not one of a series.
  bool is_of_series;
  // Films, whose bounds are in minutes; where they have none, films do not have the fact.
  RowsOf films;
  bool have_films_bounds;
  LengthBounds film_bounds;
  // A work whose franchise has one of these counts less.
  RowsOf sequels;
  double continued_share;
};

// From 0 up to `low` to 1 from `high` on, or the reverse; 0 where the value is unknown.
struct RampFact {
  enum class Column { kPopularity, kScore } column;
  double low, high;
  bool is_inverted;
};

// The best of several lists, and whether a row is in a second one.
struct AnyFact {
  std::vector<DegreeList> lists;
  // Of lists in all, those that the index does not have among them.
  double count;
  double best_share, enough;
};

// The mean over all lists, less where a row lacks one.
struct AllFact {
  std::vector<DegreeList> lists;
  double count;
};

using Fact = std::variant<ListedFact, YearsFact, LengthFact, RampFact, AnyFact, AllFact>;

// Facts; a row needs one of them.
struct Alternatives {
  std::vector<Fact> facts;
  // What the request counts; where it counts by how rare it is, this is not used.
  double weight;
  bool counts_by_rarity;
};

struct Request {
  // The first one's weight counts, and the best degree.
  std::vector<Alternatives> any_of;
  double confidence;
  // Requests of the same number above 0 exclude each other, so one of them is enough.
  std::uint32_t group;
  // Of such a group only the surest count.
  bool surest_only;
};

struct RequestRules {
  // Rarity: ln(share of rows) / ln(usual), at least this.
  double usual_share, least_weight;
  double rounding;
};

struct Exclusion {
  Fact fact;
  double confidence;
};

// A work that others should be like.
struct Example {
  std::uint32_t row;
  // 0 where it does not count.
  double year;
  // What recommendations count.
  double recommended_count;
  // Traits of the row that do not count.
  std::vector<std::uint32_t> ignored;
  // Of texts with its texts, by row.
  std::vector<std::pair<std::uint32_t, float>> cosines;
};

struct LikenessRules {
  double text_share, recommended_share, recommended_weight;
  double era_weight, era_years, popularity_weight, max_popularity;
  // What works that do not stand for their franchise count.
  double other_share;
};

struct Likeness {
  std::vector<Example> examples;
  // What the least of the likenesses counts, the rest is their mean.
  double least_share;
  // By traits alone, and what that counts; 0: by everything.
  double traits_share;
  // Rows that have this instead.
  std::vector<std::uint32_t> named;
  double named_value;
};

// How nearly a row is what is named.
struct TitleRow {
  std::uint32_t row;
  double confidence;
};

struct ChoiceRules {
  double popularity_weight, broken_weight, request_share;
  std::uint32_t deepest_sequel;
  double is_title;
  std::uint32_t max_named;
};

struct RankPlan {
  RequestRules request_rules;
  std::vector<Request> requests;
  std::vector<Exclusion> exclusions;
  LikenessRules likeness_rules;
  Likeness alike;
  Likeness unlike;
  // Rows that are not wanted at all.
  std::vector<std::uint32_t> unwanted;
  std::vector<TitleRow> titles;

  ChoiceRules choice_rules;
  enum class Choice {
    // Works like those that are named, where there are so many; otherwise none.
    kAlike,
    // The first by text with those that fit.
    kByText,
    // Every row that passes.
    kAll
  } choice;
  std::uint32_t count;
  bool has_references;
  bool has_text;
  // Whether anything was read: otherwise the rows by text are all.
  bool has_fit;
  // Rows by the similarity of their texts, the best first, which an index of vectors found.
  std::vector<std::uint32_t> similar;
  // Of the query's text, each once. So many rows by bm25 are fused with those.
  std::vector<std::uint32_t> stems;
  std::uint32_t depth;
  // Of the reciprocal ranks: 1 / (offset + rank).
  double rank_offset;
  // Candidates in any case.
  std::vector<std::uint32_t> more;
};

struct LikestPlan {
  LikenessRules rules;
  Example example;
  std::uint32_t count;
  // Whether rows with a cosine count that are not alike otherwise.
  bool with_compared;
};

struct WeightedExample {
  Example example;
  double weight;
};

struct TastePlan {
  LikenessRules rules;
  std::vector<WeightedExample> liked;
  std::vector<WeightedExample> disliked;
  // What being like a disliked work counts, of what being like a liked one does.
  double disliked_share;
};

struct LikenessesPlan {
  LikenessRules rules;
  std::vector<Example> examples;
  std::vector<std::uint32_t> rows;
};

// Throw Error EARGUMENT where the numbers are no plan for so many rows and stems.
RankPlan ReadRankPlan(std::span<const double> numbers, std::size_t row_count,
                      std::size_t stem_count);
LikestPlan ReadLikestPlan(std::span<const double> numbers, std::size_t row_count);
TastePlan ReadTastePlan(std::span<const double> numbers, std::size_t row_count);
LikenessesPlan ReadLikenessesPlan(std::span<const double> numbers, std::size_t row_count);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_RANK_PLAN_H_
