// The budget of a device's memory: who goes when there is no room, and who never does.

#include "gpu/gpu_memory.h"

#include <thread>

#include "emulated_device.h"
#include "harness.h"

namespace synoptic::test {
namespace {

using Need = GpuMemory::Need;

constexpr std::uint64_t kOne = 1, kOther = 2;

GpuLayoutKey Key(std::uint16_t column, std::uint64_t collection = kOne) {
  return {collection, column, GpuLayout::kCodes};
}

// Keeps and lets go at once; whether it had to be filled.
bool Touch(GpuMemory& memory, const GpuLayoutKey& key, std::uint64_t bytes,
           Need need = Need::kRequired) {
  bool filled = false;
  memory.Keep(key, bytes, need, [&](const GpuBuffer& buffer) {
    CHECK_EQUAL(buffer.bytes(), bytes);
    filled = true;
  });
  return filled;
}

TEST(TheOneUsedLongestAgoGoesFirst) {
  const EmulatedDevice device;
  GpuMemory memory(GpuDevice(device.api(), 0), 300);
  CHECK(Touch(memory, Key(1), 100));
  CHECK(Touch(memory, Key(2), 100));
  CHECK(Touch(memory, Key(3), 100));
  CHECK(!Touch(memory, Key(1), 100));
  CHECK(Touch(memory, Key(4), 100));
  CHECK(!Touch(memory, Key(1), 100));
  CHECK(Touch(memory, Key(2), 100));
  const GpuMemoryStats stats = memory.stats();
  CHECK_EQUAL(stats.evictions, 2u);
  CHECK_EQUAL(stats.used_bytes, 300u);
  CHECK_EQUAL(stats.peak_bytes, 300u);
  CHECK_EQUAL(stats.resident_layouts, 3u);
}

TEST(WhatIsReferencedStays) {
  const EmulatedDevice device;
  GpuMemory memory(GpuDevice(device.api(), 0), 250);
  const auto nothing = [](const GpuBuffer&) {};
  GpuMemory::Ref ref = memory.Keep(Key(1), 100, Need::kRequired, nothing);
  GpuMemory::Ref scratch = memory.Reserve(50);
  CHECK(Touch(memory, Key(2), 100));
  CHECK(Touch(memory, Key(3), 100));
  CHECK(!Touch(memory, Key(1), 100));
  CHECK_CODE(Touch(memory, Key(4), 101), "ECUDA_MEMORY");
  CHECK_CODE(Touch(memory, Key(4), 251), "ECUDA_MEMORY");
  // Forgotten, but there until its user lets go.
  memory.Forget(kOne);
  CHECK_EQUAL(memory.stats().used_bytes, 150u);
  CHECK_EQUAL(memory.ReleaseIdle({}), 0u);
  ref.reset();
  CHECK_EQUAL(memory.stats().used_bytes, 50u);
  scratch.reset();
  CHECK_EQUAL(memory.stats().used_bytes, 0u);
  CHECK_EQUAL(device.leaks(), 0u);
}

TEST(OptionalLayoutsMakeWayAndPushOnlyEachOther) {
  const EmulatedDevice device;
  GpuMemory memory(GpuDevice(device.api(), 0), 300);
  CHECK(Touch(memory, Key(1), 100));
  CHECK(Touch(memory, Key(2), 100, Need::kOptional));
  CHECK(Touch(memory, Key(3), 100, Need::kOptional));
  CHECK(Touch(memory, Key(4), 100, Need::kOptional));
  CHECK(!Touch(memory, Key(1), 100));
  CHECK_CODE(Touch(memory, Key(5), 250, Need::kOptional), "ECUDA_MEMORY");
  CHECK(Touch(memory, Key(6), 250));
}

TEST(ADriverWithLessThanTheLimitIsBelieved) {
  EmulatedDevice device;
  device.SetMemory(200);
  GpuMemory memory(GpuDevice(device.api(), 0), 1000);
  CHECK(Touch(memory, Key(1), 100));
  CHECK(Touch(memory, Key(2), 100));
  CHECK(Touch(memory, Key(3), 100));
  CHECK_CODE(Touch(memory, Key(4), 300), "ECUDA_MEMORY");
  const GpuMemoryStats stats = memory.stats();
  CHECK_EQUAL(stats.driver_refusals, 4u);
  CHECK_EQUAL(stats.used_bytes, 0u);
  CHECK_EQUAL(device.leaks(), 0u);
}

TEST(ALayoutThatCannotBeFilledLeavesNothing) {
  const EmulatedDevice device;
  GpuMemory memory(GpuDevice(device.api(), 0), 1000);
  const auto fail = [](const GpuBuffer&) { throw Error("EFILE_CHANGED", "changed"); };
  CHECK_CODE(memory.Keep(Key(1), 100, Need::kRequired, fail), "EFILE_CHANGED");
  CHECK_EQUAL(memory.stats().used_bytes, 0u);
  CHECK(Touch(memory, Key(1), 100));
}

TEST(CollectionsAreForgottenApart) {
  const EmulatedDevice device;
  GpuMemory memory(GpuDevice(device.api(), 0), 1000);
  CHECK(Touch(memory, Key(1), 100));
  CHECK(Touch(memory, Key(1, kOther), 100));
  memory.Forget(kOne);
  CHECK(!Touch(memory, Key(1, kOther), 100));
  CHECK(Touch(memory, Key(1), 100));
}

TEST(ThreadsFillALayoutOnce) {
  const EmulatedDevice device;
  GpuMemory memory(GpuDevice(device.api(), 0), 1000);
  std::atomic<int> fills{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (std::uint16_t column = 0; column < 5; ++column) {
        memory.Keep(Key(column), 100, Need::kRequired, [&](const GpuBuffer&) { ++fills; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQUAL(fills.load(), 5);
}

}  // namespace
}  // namespace synoptic::test
