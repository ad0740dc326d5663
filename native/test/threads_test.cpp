// The pool's threads: what they leave to others, and on which processors they work.

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <thread>

#include "harness.h"
#include "threads/thread_pool.h"
#include "threads/thread_spread.h"

namespace synoptic {
namespace {

class PriorityProbe : public WorkSource {
 public:
  bool RunOne(unsigned) override {
    if (!HasWork()) return false;
    priority_.set_value(getpriority(PRIO_PROCESS, 0));
    done_ = true;
    return true;
  }
  bool HasWork() override { return !done_; }
  int Wait() { return priority_.get_future().get(); }

 private:
  std::promise<int> priority_;
  std::atomic<bool> done_ = false;
};

TEST(ThreadsOfThePoolGiveWayToOthers) {
  ThreadPool pool(1);
  const auto probe = std::make_shared<PriorityProbe>();
  pool.Wake(probe, 1);
  const int own = getpriority(PRIO_PROCESS, 0);
  CHECK_EQUAL(probe->Wait(), std::min(own + 10, 19));
  CHECK_EQUAL(getpriority(PRIO_PROCESS, 0), own);
}

// Holds what the pool's threads lock among themselves until it is notified of something else.
class Holder : public WorkSource {
 public:
  bool RunOne(unsigned) override { return false; }
  // Called under the pool's lock.
  bool HasWork() override {
    holds_.set_value();
    was_notified_ =
        notified_.get_future().wait_for(std::chrono::minutes(1)) == std::future_status::ready;
    return false;
  }
  void WaitUntilItHolds() { holds_.get_future().wait(); }
  void Notify() { notified_.set_value(); }
  bool was_notified() const { return was_notified_; }

 private:
  std::promise<void> holds_, notified_;
  std::atomic<bool> was_notified_ = false;
};

TEST(WhoHasWorkForThePoolWaitsForNoneOfItsThreads) {
  ThreadPool pool(1);
  const auto holder = std::make_shared<Holder>();
  pool.Wake(holder, 1);
  holder->WaitUntilItHolds();
  const auto probe = std::make_shared<PriorityProbe>();
  pool.Wake(probe, 1);
  holder->Notify();
  probe->Wait();
  CHECK(holder->was_notified());
}

// Keeps threads at work until it is notified to end, and counts them.
class Crowd : public WorkSource {
 public:
  bool RunOne(unsigned) override {
    if (!HasWork()) return false;
    const unsigned now = ++at_work_;
    for (unsigned most = max_; most < now && !max_.compare_exchange_weak(most, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --at_work_;
    ++done_;
    return true;
  }
  bool HasWork() override { return !has_ended_; }
  void End() { has_ended_ = true; }
  unsigned most() const { return max_; }
  // Of the threads: those that have been at work at once.
  bool BecomesAtLeast(unsigned count) const {
    return Becomes([&] { return max_ >= count; });
  }
  void WaitForUnits(unsigned count) const {
    CHECK(Becomes([&, goal = done_ + count] { return done_ >= goal; }));
  }

 private:
  template <class Condition>
  static bool Becomes(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return condition();
  }

  std::atomic<unsigned> at_work_ = 0, max_ = 0, done_ = 0;
  std::atomic<bool> has_ended_ = false;
};

TEST(NoMoreThreadsAreWokenThanTheLimit) {
  constexpr unsigned kThreads = 4;
  ThreadPool pool(kThreads);
  for (const unsigned limit : {1u, 3u}) {
    int kept = 0;
    // On a busy machine a thread of the attempt before may be awake, so an attempt may not count.
    for (int attempt = 0; attempt < 400 && kept <= 10; ++attempt) {
      pool.Limit(limit);
      // Those that the attempt before has left awake go to sleep.
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      const auto crowd = std::make_shared<Crowd>();
      pool.Wake(crowd, 100);
      CHECK(crowd->BecomesAtLeast(limit));
      crowd->WaitForUnits(10);
      if (crowd->most() == limit) ++kept;
      // Who sleeps is called where there is work and more may do it.
      pool.Limit(kThreads);
      const bool has_grown = crowd->BecomesAtLeast(kThreads);
      crowd->End();
      CHECK(has_grown);
      if (!has_grown) return;
    }
    CHECK(kept > 10);
  }
}

TEST(ALimitOfNoThreadsLeavesOne) {
  ThreadPool pool(2);
  pool.Limit(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const auto crowd = std::make_shared<Crowd>();
  pool.Wake(crowd, 1);
  crowd->WaitForUnits(1);
  crowd->End();
}

// Where the threads of a test may run, and the one processor on which they are brought together.
class Processors {
 public:
  Processors() {
    CHECK_EQUAL(sched_getaffinity(0, sizeof(allowed_), &allowed_), 0);
    CPU_ZERO(&crowded_);
    CPU_SET(static_cast<unsigned>(number_), &crowded_);
  }

  bool AreSeveral() const {
    const bool are_several = CPU_COUNT(&allowed_) > 1;
    if (!are_several) std::printf("skipped: there is one processor only\n");
    return are_several;
  }

  // The thread that calls goes to the crowded one, and stays.
  void Crowd() const { sched_setaffinity(0, sizeof(crowded_), &crowded_); }
  // It may go anywhere from now on.
  void Allow() const { sched_setaffinity(0, sizeof(allowed_), &allowed_); }
  bool MayGoAnywhere() const {
    cpu_set_t now;
    return sched_getaffinity(0, sizeof(now), &now) == 0 && CPU_EQUAL(&now, &allowed_);
  }
  bool IsCrowdedHere() const { return sched_getcpu() == number_; }

  // Whether entering moves the thread off the crowded one. The scheduler, too, may move it at any
  // time, but seldom from one of these lines to the next.
  bool EnteringMovesOff(ThreadSpread& spread, unsigned worker) const {
    if (!IsCrowdedHere()) return false;
    spread.Enter(worker);
    return !IsCrowdedHere();
  }

 private:
  const int number_ = sched_getcpu();
  cpu_set_t allowed_;
  cpu_set_t crowded_;
};

// One that finds itself on the processor of another one moves on, and may run anywhere afterwards.
TEST(ThreadsAtWorkDoNotShareAProcessor) {
  const Processors processors;
  if (!processors.AreSeveral()) return;
  ThreadSpread spread(2);
  std::thread([&] {
    processors.Crowd();
    spread.Enter(0);
  }).join();
  const auto attempts_that_moved = [&] {
    int moved = 0;
    for (int attempt = 0; attempt < 100; ++attempt) {
      processors.Crowd();
      processors.Allow();
      if (processors.EnteringMovesOff(spread, 1)) ++moved;
    }
    return moved;
  };
  std::thread([&] {
    CHECK(attempts_that_moved() > 50);
    CHECK(processors.MayGoAnywhere());
    // When the other one sleeps there is no reason to move.
    spread.Leave(0);
    CHECK(attempts_that_moved() < 50);
  }).join();
}

TEST(OneOfTwoThreadsThatShareAProcessorStays) {
  const Processors processors;
  if (!processors.AreSeveral()) return;
  int left = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    ThreadSpread spread(2);
    std::barrier<> both_are_there(2);
    std::atomic<bool> has_moved = false;
    const auto gather = [&] {
      processors.Crowd();
      both_are_there.arrive_and_wait();
      processors.Allow();
    };
    std::thread moves([&] {
      gather();
      spread.Enter(0);
      has_moved = true;
    });
    bool has_left = false;
    std::thread stays([&] {
      processors.Crowd();
      spread.Enter(1);
      gather();
      while (!has_moved && !has_left && processors.IsCrowdedHere()) {
        has_left = processors.EnteringMovesOff(spread, 1);
      }
    });
    moves.join();
    stays.join();
    if (has_left) ++left;
  }
  CHECK(left < 50);
}

}  // namespace
}  // namespace synoptic
