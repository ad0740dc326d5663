#include "search_runner.h"

#include <utility>

#include "canonical_scan.h"

namespace synoptic {
namespace {

// A larger batch would slow down everyone on the shared sweep; it gets a sweep of its own, and the
// pool divides the time between the two.
constexpr std::size_t kMaxSharedQueries = 8;

}  // namespace

SearchRunner::SearchRunner(ThreadPool& pool, std::shared_ptr<const Collection> collection)
    : pool_(pool),
      collection_(std::move(collection)),
      shared_sweep_(std::make_shared<Sweep>(pool_, collection_)) {}

SearchRunner::Handle SearchRunner::Start(SearchArguments arguments, Sweep::Done done) {
  collection_->CheckArguments(arguments);
  Handle handle;
  handle.sweep = arguments.query_count <= kMaxSharedQueries
                     ? shared_sweep_
                     : std::make_shared<Sweep>(pool_, collection_);
  auto scan =
      std::make_unique<CanonicalScan>(collection_, std::move(arguments), pool_.thread_count());
  handle.rider = handle.sweep->Add(std::move(scan), std::move(done));
  return handle;
}

}  // namespace synoptic
