#include "threads/thread_pool.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "threads/thread_priority.h"

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#endif

namespace synoptic {
namespace {

constexpr unsigned kMaxThreads = 1024;

// How long a thread works before it offers its processor. An offer gives away what is left of the
// slice, 1.4 ms with two processors: next to two busy processes a search takes 1.2 times as long
// with this, 2.5 times with 0.15 ms.
constexpr std::int64_t kTurnNs = 700'000;

unsigned ChooseThreadCount() {
  const char* setting = std::getenv("SYNOPTIC_SCAN_THREADS");
  if (setting == nullptr || *setting == '\0') {
    return std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads);
  }
  const std::string text = setting;
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

using Count = std::atomic<std::uint32_t>;

#ifdef __linux__

// The library's wait yields the processor several times before it sleeps, for which Linux puts the
// thread behind all others for its next turns, too.
void WaitForChange(Count& count, std::uint32_t seen) {
  syscall(SYS_futex, &count, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
}
void WakeOne(Count& count) {
  syscall(SYS_futex, &count, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}
void WakeAll(Count& count) {
  syscall(SYS_futex, &count, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

#else

void WaitForChange(Count& count, std::uint32_t seen) { count.wait(seen); }
void WakeOne(Count& count) { count.notify_one(); }
void WakeAll(Count& count) { count.notify_all(); }

#endif

}  // namespace

ThreadPool& ThreadPool::Shared() {
  static ThreadPool* pool = new ThreadPool(ChooseThreadCount());
  return *pool;
}

ThreadPool::ThreadPool(unsigned thread_count) : limit_(thread_count), spread_(thread_count) {
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
  WakeAll(arrival_count_);
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Wake(std::shared_ptr<WorkSource> source, std::size_t units) {
  arrivals_.Put(std::move(source));
  ++arrival_count_;
  // Who falls asleep from now on has seen it.
  const unsigned limit = limit_, awake = thread_count() - sleeping_;
  std::size_t wake = std::min<std::size_t>(units, limit > awake ? limit - awake : 0);
  for (; wake > 0; --wake) WakeOne(arrival_count_);
}

void ThreadPool::Limit(unsigned limit) {
  const unsigned now = std::clamp(limit, 1u, thread_count());
  if (now <= limit_.exchange(now)) return;
  // There may be work for more of them.
  ++arrival_count_;
  WakeAll(arrival_count_);
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
  std::int64_t turn_ns = 0;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    // Before the look at what there is, so that what comes after it is noticed.
    const std::uint32_t seen = arrival_count_;
    const std::shared_ptr<WorkSource> source = PickSource();
    lock.unlock();
    if (source == nullptr) {
      spread_.Leave(worker);
      ++sleeping_;
      WaitForChange(arrival_count_, seen);
      --sleeping_;
      turn_ns = 0;
      lock.lock();
      continue;
    }
    spread_.Enter(worker);
    const std::int64_t start_ns = NowNs();
    const bool worked = source->RunOne(worker);
    const std::int64_t spent_ns = NowNs() - start_ns;
    turn_ns += spent_ns;
    if (turn_ns >= kTurnNs) {
      OfferProcessor();
      turn_ns = 0;
    }
    lock.lock();
    source->used_ns_ += spent_ns;
    // What is added later comes with an arrival, which is taken in under the lock, too.
    if (!worked && !source->HasWork()) std::erase(sources_, source);
  }
}

}  // namespace synoptic
