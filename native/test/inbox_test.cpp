// What threads leave for each other.

#include "threads/inbox.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "harness.h"

namespace synoptic {
namespace {

TEST(WhatIsPutIsTakenOnceAndInOrder) {
  Inbox<int> inbox;
  CHECK(inbox.IsEmpty());
  CHECK(inbox.TakeAll().empty());
  for (int value = 0; value < 5; ++value) inbox.Put(value);
  CHECK(!inbox.IsEmpty());
  CHECK(inbox.TakeAll() == (std::vector<int>{0, 1, 2, 3, 4}));
  CHECK(inbox.IsEmpty());
  inbox.Put(5);
  CHECK(inbox.TakeAll() == std::vector<int>{5});
}

TEST(ThreadsThatPutAndTakeTogetherLoseNothing) {
  constexpr std::size_t kWriters = 3, kReaders = 2, kEach = 20000;
  Inbox<std::size_t> inbox;
  std::vector<std::vector<std::size_t>> taken(kReaders);
  std::vector<std::thread> threads;
  std::atomic<std::size_t> count = 0;
  for (std::size_t reader = 0; reader < kReaders; ++reader) {
    threads.emplace_back([&, reader] {
      while (count < kWriters * kEach) {
        for (const std::size_t value : inbox.TakeAll()) {
          taken[reader].push_back(value);
          ++count;
        }
        std::this_thread::yield();
      }
    });
  }
  for (std::size_t writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (std::size_t i = 0; i < kEach; ++i) inbox.Put(writer * kEach + i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<int> times(kWriters * kEach);
  for (const auto& values : taken) {
    // A reader meets what one writer put in the order in which it was put.
    std::vector<std::size_t> least(kWriters);
    for (const std::size_t value : values) {
      ++times[value];
      std::size_t& next = least[value / kEach];
      CHECK(value % kEach >= next);
      next = value % kEach + 1;
    }
  }
  for (const int time : times) CHECK_EQUAL(time, 1);
}

TEST(WhatNobodyTakesGoesWithTheInbox) {
  const auto value = std::make_shared<int>(1);
  {
    Inbox<std::shared_ptr<int>> inbox;
    inbox.Put(value);
    inbox.Put(value);
    CHECK_EQUAL(value.use_count(), 3);
  }
  CHECK_EQUAL(value.use_count(), 1);
}

}  // namespace
}  // namespace synoptic
