// From the candidates that a device has left to the result, in the order of the processor's.

#include <algorithm>
#include <limits>

#include "engine/result.h"
#include "gpu/gpu_search.h"

namespace synoptic {
namespace {

// Up to here ordering what is exact beats the general way.
constexpr std::size_t kFewHits = 256;

// The first k of the total order among exact candidates.
std::vector<Hit> FirstExact(const std::vector<Candidate>& candidates, std::size_t k,
                            bool distinct) {
  std::vector<Hit> hits;
  hits.reserve(candidates.size());
  for (const Candidate& found : candidates) hits.push_back({found.lower, found.row, found.column});
  std::sort(hits.begin(), hits.end(), RanksBefore);
  std::size_t kept = 0;
  for (const Hit& hit : hits) {
    if (kept == k) break;
    const auto taken = hits.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto same_row = [&](const Hit& other) { return other.row == hit.row; };
    if (distinct && std::find_if(hits.begin(), taken, same_row) != taken) continue;
    hits[kept++] = hit;
  }
  hits.resize(kept);
  return hits;
}

// What the device could not score, from the mapped file.
class HostScorer : public CandidateScorer {
 public:
  HostScorer(const Collection& collection, const QuerySet& queries, std::size_t query)
      : collection_(collection), queries_(queries), query_(query) {}

  void Score(Candidate* candidates, std::size_t count) override {
    for (Candidate* found = candidates; found < candidates + count; ++found) {
      double sum;
      queries_.Score(query_, collection_.matrices()[found->column], &found->row, 1, &sum,
                     &found->upper);
      found->lower = found->upper;
      found->exact = true;
    }
    scored_ += count;
  }

  // A handful of rows at most.
  void Expect(const Candidate&) override {}

  std::uint64_t scored() const { return scored_; }

 private:
  const Collection& collection_;
  const QuerySet& queries_;
  const std::size_t query_;
  std::uint64_t scored_ = 0;
};

}  // namespace

void GpuSearch::WriteResults(std::size_t first_query) {
  const auto* counts = Output<std::uint32_t>(group_->out_counts);
  const auto* kept = Output<std::uint32_t>(group_->kept_counts);
  const auto* list = Output<SynopticCandidate>(group_->out_list);
  std::vector<SynopticCandidate> fetched;
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < group_->query_count; ++i) {
    const std::size_t query = first_query + i;
    const SynopticCandidate* begin = list + i * selection_.out_capacity;
    std::size_t count = counts[i];
    if (count > selection_.out_capacity) {
      // More than were copied out: all that were kept, including a few below the threshold.
      count = kept[i];
      fetched.resize(count);
      worker_.stream().CopyOut(fetched.data(), Kept().list + i * selection_.capacity,
                               count * sizeof(SynopticCandidate));
      worker_.stream().Synchronize();
      begin = fetched.data();
    }
    candidates.clear();
    candidates.reserve(count);
    bool all_exact = true;
    for (const SynopticCandidate* found = begin; found < begin + count; ++found) {
      const bool exact = found->exact != 0;
      candidates.push_back({found->upper, found->lower, found->row, found->column, exact});
      all_exact = all_exact && exact;
    }
    // What the device scored; without all float32 there, the host scores the rest below.
    if (all_exact) result_.rescored += kept[i];
    if (all_exact && count <= kFewHits) {
      WriteHits(result_, query, arguments_.k,
                FirstExact(candidates, arguments_.k, arguments_.distinct));
      continue;
    }
    const float least = KthLowerBound(candidates, arguments_.k, arguments_.distinct,
                                      -std::numeric_limits<float>::infinity());
    std::erase_if(candidates, [&](const Candidate& found) { return found.upper < least; });
    HostScorer scorer(collection_, queries_, query);
    WriteHits(result_, query, arguments_.k,
              FirstHits(candidates, arguments_.k, arguments_.distinct, scorer));
    result_.rescored += scorer.scored();
  }
}

}  // namespace synoptic
