#include "rows/taste.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "rows/likeness.h"

namespace synoptic {
namespace {

using Values = std::vector<float>;

// In steps that every machine rounds alike.
double CubeRoot(double x) {
  if (x == 0) return 0;
  int exponent;
  double fraction = std::frexp(x, &exponent);
  while (exponent % 3 != 0) {
    fraction *= 2;
    --exponent;
  }
  double root = 1 + (fraction - 1) / 3;
  constexpr int kSteps = 7;
  for (int step = 0; step < kSteps; ++step) root = (2 * root + fraction / (root * root)) / 3;
  return std::ldexp(root, exponent / 3);
}

// The mean of likenesses to the power of 3/2: being very like one work counts more than being a
// little like many.
class PowerMean {
 public:
  explicit PowerMean(std::size_t row_count) : sums_(row_count) {}

  void Add(const Values& likeness, double weight) {
    total_ += weight;
    for (std::size_t row = 0; row < sums_.size(); ++row) {
      const double value = likeness[row];
      if (!(value > 0)) continue;
      sums_[row] =
          static_cast<float>(static_cast<double>(sums_[row]) + weight * (value * std::sqrt(value)));
    }
  }

  Values Take() {
    if (total_ == 0) return std::move(sums_);
    for (float& sum : sums_) {
      const double mean = static_cast<double>(sum) / total_;
      sum = static_cast<float>(CubeRoot(mean * mean));
    }
    return std::move(sums_);
  }

 private:
  Values sums_;
  double total_ = 0;
};

struct Taste {
  Taste(std::shared_ptr<const FactTables> own_tables, TastePlan own_plan)
      : tables(std::move(own_tables)), plan(std::move(own_plan)) {}

  std::shared_ptr<const FactTables> tables;
  TastePlan plan;
  PowerMean liked{tables->rows};
  PowerMean disliked{tables->rows};
  std::mutex mutex;
  // Guarded by mutex: likenesses that wait for those before them.
  std::map<std::size_t, Values> waiting;
  std::size_t next = 0;
  Values scores;

  const WeightedExample& Work(std::size_t i) const {
    return i < plan.liked.size() ? plan.liked[i] : plan.disliked[i - plan.liked.size()];
  }

  void Run(std::size_t i) {
    Values likeness = LikenessTo(*tables, plan.rules, Work(i).example);
    const std::lock_guard lock(mutex);
    waiting.emplace(i, std::move(likeness));
    for (auto first = waiting.begin(); first != waiting.end() && first->first == next;) {
      (next < plan.liked.size() ? liked : disliked).Add(first->second, Work(next).weight);
      ++next;
      first = waiting.erase(first);
    }
  }

  void Complete() {
    scores = liked.Take();
    if (!plan.disliked.empty()) {
      const Values unliked = disliked.Take();
      for (std::size_t row = 0; row < scores.size(); ++row) {
        scores[row] = static_cast<float>(static_cast<double>(scores[row]) -
                                         plan.disliked_share * static_cast<double>(unliked[row]));
      }
    }
    float most = 0;
    for (const float score : scores) most = std::max(most, score);
    if (most > 0) {
      for (float& score : scores) score /= most;
    }
    tables->index->CheckUnchanged();
  }
};

}  // namespace

std::shared_ptr<BlockJob> StartTaste(ThreadPool& pool, std::shared_ptr<const FactTables> tables,
                                     TastePlan plan, FloatsDone done) {
  const auto taste = std::make_shared<Taste>(std::move(tables), std::move(plan));
  return BlockJob::Start(
      pool, {[taste] { return taste->plan.liked.size() + taste->plan.disliked.size(); },
             [taste](std::size_t i) { taste->Run(i); }, [taste] { taste->Complete(); },
             [taste, done = std::move(done)](std::exception_ptr error) {
               done(error, std::move(taste->scores));
             }});
}

std::shared_ptr<BlockJob> StartLikenesses(ThreadPool& pool,
                                          std::shared_ptr<const FactTables> tables,
                                          LikenessesPlan plan, FloatsDone done) {
  const auto own = std::make_shared<const LikenessesPlan>(std::move(plan));
  const auto found = std::make_shared<Values>(own->examples.size() * own->rows.size());
  return BlockJob::Start(pool, {[own] { return own->examples.size(); },
                                [own, found, tables](std::size_t i) {
                                  const Values likeness =
                                      LikenessTo(*tables, own->rules, own->examples[i]);
                                  for (std::size_t at = 0; at < own->rows.size(); ++at) {
                                    (*found)[i * own->rows.size() + at] = likeness[own->rows[at]];
                                  }
                                },
                                [tables] { tables->index->CheckUnchanged(); },
                                [found, done = std::move(done)](std::exception_ptr error) {
                                  done(error, std::move(*found));
                                }});
}

}  // namespace synoptic
