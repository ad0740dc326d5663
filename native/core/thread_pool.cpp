#include "thread_pool.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string>

#include "error.h"
#include "thread_priority.h"

namespace synoptic {
namespace {

constexpr unsigned kMaxThreads = 1024;

unsigned ChooseThreadCount() {
  const char* wanted = std::getenv("SYNOPTIC_SCAN_THREADS");
  if (wanted == nullptr || *wanted == '\0') {
    return std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads);
  }
  const std::string text = wanted;
  unsigned count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 ||
      count > kMaxThreads) {
    throw Error("ETHREADS", "SYNOPTIC_SCAN_THREADS: expected an integer from 1 to " +
                                std::to_string(kMaxThreads) + ", received '" + text + "'");
  }
  return count;
}

std::int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

ThreadPool& ThreadPool::Shared() {
  static ThreadPool* pool = new ThreadPool(ChooseThreadCount());
  return *pool;
}

ThreadPool::ThreadPool(unsigned thread_count) : spread_(thread_count) {
  threads_.reserve(thread_count);
  for (unsigned worker = 0; worker < thread_count; ++worker) {
    threads_.emplace_back([this, worker] { RunWorker(worker); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  ++arrival_count_;
  arrival_count_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Wake(std::shared_ptr<WorkSource> source, std::size_t units) {
  arrivals_.Put(std::move(source));
  ++arrival_count_;
  // Who falls asleep from now on has seen it.
  std::size_t wake = std::min<std::size_t>(units, sleeping_);
  for (; wake > 0; --wake) arrival_count_.notify_one();
}

// Under the lock; null: there is nothing to do.
std::shared_ptr<WorkSource> ThreadPool::PickSource() {
  for (std::shared_ptr<WorkSource>& source : arrivals_.TakeAll()) {
    if (std::find(sources_.begin(), sources_.end(), source) != sources_.end()) continue;
    source->used_ns_ = std::max(source->used_ns_, level_ns_);
    sources_.push_back(std::move(source));
  }
  if (sources_.empty()) return nullptr;
  const auto& least =
      *std::min_element(sources_.begin(), sources_.end(),
                        [](const auto& a, const auto& b) { return a->used_ns_ < b->used_ns_; });
  level_ns_ = std::max(level_ns_, least->used_ns_);
  return least;
}

void ThreadPool::RunWorker(unsigned worker) {
  GiveWay();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    // Before the look at what there is, so that what comes after it is noticed.
    const std::uint32_t seen = arrival_count_;
    const std::shared_ptr<WorkSource> source = PickSource();
    lock.unlock();
    if (source == nullptr) {
      spread_.Leave(worker);
      ++sleeping_;
      arrival_count_.wait(seen);
      --sleeping_;
      lock.lock();
      continue;
    }
    spread_.Enter(worker);
    const std::int64_t start_ns = NowNs();
    const bool worked = source->RunOne(worker);
    const std::int64_t spent_ns = NowNs() - start_ns;
    lock.lock();
    source->used_ns_ += spent_ns;
    // What is added later comes with an arrival, which is taken in under the lock, too.
    if (!worked && !source->HasWork()) std::erase(sources_, source);
  }
}

}  // namespace synoptic
