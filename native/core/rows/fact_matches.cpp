#include "rows/fact_matches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace synoptic {
namespace {

float Rounded(double value) { return static_cast<float>(value); }

// The same in every order: the degrees of subjects are multiples of 2^-28 or so, and a float64 has
// room for the sum of 2^24 of them.
double SumOf(const Degrees& degrees) {
  // A single sum would wait for each addition.
  std::array<double, 8> sums = {};
  std::size_t row = 0;
  for (; row + sums.size() <= degrees.size(); row += sums.size()) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(degrees[row + i]);
  }
  for (; row < degrees.size(); ++row) sums[0] += static_cast<double>(degrees[row]);
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

bool HasAny(const Degrees& degrees) {
  return std::any_of(degrees.begin(), degrees.end(), [](float degree) { return degree > 0; });
}

// The best of each row.
Degrees Best(std::vector<Degrees> all) {
  Degrees best = std::move(all.front());
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (std::size_t row = 0; row < best.size(); ++row) {
      best[row] = std::max(best[row], all[i][row]);
    }
  }
  return best;
}

struct Counted {
  const Request* request;
  // Several of one group are one, with the degree of the best in each row.
  std::vector<const Degrees*> degrees;
  double weight;
  double confidence;
};

double WeightOf(const Alternatives& any, const Degrees& degrees, const RequestRules& rules) {
  if (!any.counts_by_rarity) return any.weight;
  const double share = SumOf(degrees) / static_cast<double>(degrees.size());
  const double weight = share > 0 ? NaturalLog(share) / NaturalLog(rules.usual_share) : any.weight;
  return std::max(rules.least_weight, weight);
}

std::pair<Degrees, double> Evaluate(const FactTables& tables, const Request& request,
                                    const RequestRules& rules) {
  std::vector<Degrees> all;
  double weight = 0;
  for (const Alternatives& any : request.any_of) {
    std::vector<Degrees> own;
    for (const Fact& fact : any.facts) own.push_back(DegreesOf(tables, fact));
    all.push_back(Best(std::move(own)));
    if (all.size() == 1) weight = WeightOf(any, all.front(), rules);
  }
  return {Best(std::move(all)), weight};
}

// Requests that stand alone first, then one for each group, in the order of their first ones.
std::vector<Counted> Joined(const std::vector<Counted>& all) {
  std::vector<Counted> joined;
  for (const Counted& one : all) {
    if (one.request->group == 0) joined.push_back(one);
  }
  std::vector<std::uint32_t> groups;
  for (const Counted& first : all) {
    const std::uint32_t group = first.request->group;
    if (group == 0 || std::find(groups.begin(), groups.end(), group) != groups.end()) continue;
    groups.push_back(group);
    std::vector<Counted> own;
    double most = 0;
    bool surest_only = true;
    for (const Counted& one : all) {
      if (one.request->group != group) continue;
      own.push_back(one);
      most = std::max(most, one.confidence);
      surest_only = surest_only && one.request->surest_only;
    }
    if (surest_only) std::erase_if(own, [&](const Counted& one) { return one.confidence != most; });
    Counted whole = own.front();
    for (std::size_t i = 1; i < own.size(); ++i) whole.degrees.push_back(own[i].degrees.front());
    whole.confidence = most;
    joined.push_back(std::move(whole));
  }
  return joined;
}

double SumOf(const std::vector<Counted>& requests) {
  double sum = 0;
  for (const Counted& one : requests) sum += one.weight * one.confidence;
  return sum;
}

// The best of each row; a single one is not copied to `room`.
const Degrees& BestOf(const std::vector<const Degrees*>& all, Degrees& room) {
  if (all.size() == 1) return *all.front();
  room = *all.front();
  for (const Degrees* other : all) {
    for (std::size_t row = 0; row < room.size(); ++row)
      room[row] = std::max(room[row], (*other)[row]);
  }
  return room;
}

// The sum of degrees by their shares, less where a fact is not met at all.
void Fulfil(Degrees& fulfilled, const std::vector<Counted>& requests, const RequestRules& rules) {
  if (requests.empty()) return;
  const double total = SumOf(requests);
  Degrees met(fulfilled.size());
  double all = 0;
  for (const Counted& one : requests) {
    const double share = one.weight * one.confidence / total;
    all += one.weight;
    Degrees room;
    const Degrees& degrees = BestOf(one.degrees, room);
    for (std::size_t row = 0; row < fulfilled.size(); ++row) {
      const double degree = degrees[row];
      if (degree == 0) continue;
      fulfilled[row] = Rounded(static_cast<double>(fulfilled[row]) + share * degree);
      met[row] = Rounded(static_cast<double>(met[row]) + one.weight);
    }
  }
  for (std::size_t row = 0; row < fulfilled.size(); ++row) {
    if (fulfilled[row] == 0) continue;
    const double kept = met[row];
    // A row that fails one of several facts is worse than the mean shows.
    if (kept < all - rules.rounding) {
      fulfilled[row] = Rounded(static_cast<double>(fulfilled[row]) * std::sqrt(kept / all));
    }
  }
}

}  // namespace

double NaturalLog(double x) {
  int exponent;
  double fraction = std::frexp(x, &exponent);
  if (fraction < 0.7071) {
    fraction *= 2;
    --exponent;
  }
  // ln f = 2 artanh((f - 1) / (f + 1)), whose argument is at most 0.172.
  const double s = (fraction - 1) / (fraction + 1);
  constexpr int kTerms = 11;
  double sum = 0;
  for (int term = kTerms; term >= 0; --term) sum = sum * (s * s) + 1.0 / (2 * term + 1);
  constexpr double kLn2 = 0.69314718055994530942;
  return 2 * s * sum + exponent * kLn2;
}

FactMatches MatchFacts(const FactTables& tables, const RankPlan& plan) {
  FactMatches matches;
  matches.fulfilled.resize(tables.rows);
  matches.broken.resize(tables.rows);
  // What is counted refers to them.
  matches.requests.reserve(plan.requests.size());
  std::vector<Counted> all;
  std::vector<Counted> known;
  for (const Request& request : plan.requests) {
    auto [degrees, weight] = Evaluate(tables, request, plan.request_rules);
    const bool is_known = HasAny(degrees);
    const Degrees& kept = matches.requests.emplace_back(std::move(degrees));
    all.push_back({&request, {&kept}, weight, request.confidence});
    if (is_known) known.push_back(all.back());
  }
  const auto counted = Joined(known);
  Fulfil(matches.fulfilled, counted, plan.request_rules);
  if (!all.empty()) matches.known = SumOf(counted) / SumOf(Joined(all));
  for (const Exclusion& exclusion : plan.exclusions) {
    const Degrees degrees = DegreesOf(tables, exclusion.fact);
    for (std::size_t row = 0; row < degrees.size(); ++row) {
      const double degree = static_cast<double>(degrees[row]) * exclusion.confidence;
      matches.broken[row] = Rounded(std::max(static_cast<double>(matches.broken[row]), degree));
    }
  }
  return matches;
}

}  // namespace synoptic
