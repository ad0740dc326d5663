// Searches through the runner with a device behind it, on the emulation: whatever fails, the
// request gets its result, the statistics say what happened, and all memory comes back.

#include <chrono>
#include <filesystem>

#include "emulated_device.h"
#include "gpu/gpu_layouts.h"
#include "gpu_examples.h"

namespace synoptic::test {
namespace {

constexpr std::size_t kRows = 150;
constexpr std::size_t kDimension = 64;
constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

std::shared_ptr<Collection> MakeExample(ThreadPool& pool, const std::string& name) {
  return MakeCollection(
      pool, name, kDimension,
      {{RandomValues(kRows * kDimension, 1), 8}, {AdversarialValues(kRows, kDimension, 2), 4}});
}

// Small enough for every search to be worth a device, and for every ladder's step to be taken.
GpuOptions Options() {
  GpuOptions options;
  options.min_values = 1;
  options.min_pairs = 20;
  options.staging_bytes = std::uint64_t{16} << 10;
  options.staging_slots = 2;
  options.chunk_bytes = std::uint64_t{32} << 10;
  options.workspace_bytes = std::uint64_t{1} << 20;
  options.min_streamed_queries = 9;
  return options;
}

std::shared_ptr<GpuEngine> MakeEngine(const EmulatedDevice& device, std::uint64_t limit = kPlenty) {
  return std::make_shared<GpuEngine>(device.api(), 0, limit, Options());
}

// A search of one, of a few and of a batch; how many the device did.
std::size_t CheckSearches(ThreadPool& pool, const std::shared_ptr<Collection>& collection,
                          const std::shared_ptr<GpuEngine>& engine) {
  SearchRunner runner(pool, collection, engine);
  std::size_t on_device = 0;
  for (const std::size_t queries : {1, 3, 12}) {
    SearchArguments arguments = MakeArguments(*collection, queries, 10);
    const SearchResult result = Search(runner, arguments);
    CHECK(SameResult(result, ExactResult(pool, collection, arguments)));
    CHECK(result.device == 0 || !result.fallback.empty() || !engine->stats().lost.empty());
    on_device += result.device == 0;
  }
  return on_device;
}

TEST(ADeviceReturnsWhatTheProcessorDoes) {
  ThreadPool pool(2);
  const EmulatedDevice device;
  const auto collection = MakeExample(pool, "results");
  {
    const auto engine = MakeEngine(device);
    CHECK_EQUAL(CheckSearches(pool, collection, engine), 3u);
    const GpuStats stats = engine->stats();
    CHECK_EQUAL(stats.searches, 3u);
    CHECK(stats.fallbacks.empty() && stats.lost.empty());
    CHECK(stats.memory.used_bytes > 0 && stats.memory.used_bytes <= stats.memory.peak_bytes);
    // The runner is gone, and with it what its collection had.
    CHECK_EQUAL(stats.memory.resident_layouts, 0u);
  }
  CHECK_EQUAL(device.leaks(), 0u);
}

TEST(SearchesInFlightDoNotDisturbEachOther) {
  ThreadPool pool(2);
  const EmulatedDevice device;
  const auto collection = MakeExample(pool, "flight");
  const auto engine = MakeEngine(device);
  SearchRunner runner(pool, collection, engine);
  std::vector<std::pair<SearchArguments, std::future<SearchResult>>> searches;
  for (std::uint32_t i = 0; i < 36; ++i) {
    // One query, two, and a batch.
    const std::size_t queries = i % 3 == 2 ? 12 : 1 + i % 3;
    SearchArguments arguments = MakeArguments(*collection, queries, 5 + i % 2, i);
    searches.emplace_back(arguments, StartSearch(runner, arguments));
  }
  for (auto& [arguments, result] : searches) {
    CHECK(SameResult(result.get(), ExactResult(pool, collection, arguments)));
  }
  // Two workers run each of six shapes once without a recording, some again when memory has grown.
  CHECK(device.graphs_run() >= 18);
}

TEST(WhatCannotBeRecordedRunsAllTheSame) {
  ThreadPool pool(2);
  EmulatedDevice device;
  device.RemoveGraphs();
  const auto collection = MakeExample(pool, "graphs");
  const auto engine = MakeEngine(device);
  CHECK_EQUAL(CheckSearches(pool, collection, engine), 3u);
  CHECK_EQUAL(device.graphs_run(), 0u);
}

TEST(NothingMakesWayForWhatWillNotFit) {
  ThreadPool pool(2);
  const EmulatedDevice device;
  const auto collection = MakeExample(pool, "fits");
  const std::uint64_t layouts = LayoutBytes(*collection, 0, GpuLayout::kCodes) +
                                LayoutBytes(*collection, 1, GpuLayout::kCodes);
  const auto engine = MakeEngine(device, layouts);
  SearchRunner runner(pool, collection, engine);
  const SearchResult result = Search(runner, MakeArguments(*collection, 1, 10));
  CHECK_EQUAL(result.device, -1);
  CHECK(result.fallback.find("--gpu-memory-limit: expected at least") != std::string::npos);
  CHECK_EQUAL(engine->stats().memory.peak_bytes, 0u);
  CHECK_EQUAL(engine->stats().fallbacks.at("ECUDA_MEMORY"), 1u);
}

TEST(EveryAllocationMayFail) {
  ThreadPool pool(2);
  const auto collection = MakeExample(pool, "allocations");
  std::uint64_t allocations = 1;
  for (std::uint64_t failing = 0; failing < allocations; ++failing) {
    for (const bool from_then_on : {false, true}) {
      EmulatedDevice device;
      if (from_then_on) {
        device.FailEveryAllocationFrom(failing);
      } else {
        device.FailAllocation(failing);
      }
      {
        const auto engine = MakeEngine(device);
        const std::size_t on_device = CheckSearches(pool, collection, engine);
        CHECK_EQUAL(engine->stats().searches, on_device);
        if (failing == 0 && from_then_on) {
          CHECK_EQUAL(on_device, 0u);
          CHECK_EQUAL(engine->stats().fallbacks["ECUDA_MEMORY"], 3u);
          CHECK_EQUAL(engine->stats().memory.used_bytes, 0u);
          CHECK(!engine->stats().last_fallback.empty());
        }
      }
      CHECK_EQUAL(device.leaks(), 0u);
      if (!from_then_on) allocations = std::max(allocations, device.allocations());
    }
  }
  CHECK(allocations > 10);
}

TEST(EveryCallMayFail) {
  ThreadPool pool(2);
  const auto collection = MakeExample(pool, "calls");
  std::uint64_t calls = 1;
  // The first calls, which open and upload, one by one; later ones repeat.
  for (std::uint64_t failing = 0; failing < calls; failing += failing < 40 ? 1 : 7) {
    for (const int status : {SYNOPTIC_CUDA_FAILED, SYNOPTIC_CUDA_DEVICE_LOST}) {
      EmulatedDevice device;
      device.FailCall(failing, status);
      {
        const auto engine = MakeEngine(device);
        CheckSearches(pool, collection, engine);
        const GpuStats stats = engine->stats();
        if (status == SYNOPTIC_CUDA_DEVICE_LOST && !stats.lost.empty()) {
          CHECK(stats.fallbacks.at("ECUDA_LOST") >= 1);
          CHECK(!engine->Wants(*collection, MakeArguments(*collection, 1, 1)));
        }
        if (status == SYNOPTIC_CUDA_FAILED) CHECK(stats.lost.empty());
      }
      CHECK_EQUAL(device.leaks(), 0u);
      if (status == SYNOPTIC_CUDA_FAILED) calls = std::max(calls, device.calls());
    }
  }
  CHECK(calls > 50);
}

TEST(ALimitIsKept) {
  ThreadPool pool(2);
  const auto collection = MakeExample(pool, "limit");
  const auto other = MakeExample(pool, "other");
  const std::uint64_t layouts = LayoutBytes(*collection, 0, GpuLayout::kCodes) +
                                LayoutBytes(*collection, 1, GpuLayout::kCodes);
  for (const std::uint64_t limit :
       {std::uint64_t{0}, layouts, std::uint64_t{200} << 10, std::uint64_t{500} << 10,
        std::uint64_t{1} << 20, std::uint64_t{2} << 20}) {
    const EmulatedDevice device;
    {
      const auto engine = MakeEngine(device, limit);
      const SearchRunner keeps_it(pool, collection, engine);
      for (const auto& searched : {collection, other, collection}) {
        CheckSearches(pool, searched, engine);
      }
      CHECK(engine->stats().memory.peak_bytes <= limit);
    }
    CHECK_EQUAL(device.leaks(), 0u);
  }
}

TEST(IdleMemoryIsReleased) {
  ThreadPool pool(1);
  const EmulatedDevice device;
  const auto collection = MakeExample(pool, "idle");
  const auto engine = MakeEngine(device);
  SearchRunner runner(pool, collection, engine);
  const SearchArguments arguments = MakeArguments(*collection, 1, 10);
  const SearchResult first = Search(runner, arguments);
  CHECK_EQUAL(engine->ReleaseIdle(std::chrono::hours(1)), 0u);
  CHECK(engine->stats().memory.resident_layouts > 0);
  CHECK(engine->ReleaseIdle(std::chrono::milliseconds(0)) > 0);
  CHECK_EQUAL(engine->stats().memory.resident_layouts, 0u);
  CHECK(SameResult(Search(runner, arguments), first));
}

TEST(AnErrorOfTheRequestIsItsOwn) {
  ThreadPool pool(1);
  const EmulatedDevice device;
  const auto collection = MakeExample(pool, "changed");
  const auto engine = MakeEngine(device);
  SearchRunner runner(pool, collection, engine);
  SearchArguments wrong = MakeArguments(*collection, 2, 3);
  std::fill(wrong.queries.begin(), wrong.queries.end(), 0.0f);
  CHECK_CODE(Search(runner, wrong), "EQUERY");
  const std::string path = collection->matrices()[0].file().path();
  std::filesystem::last_write_time(
      path, std::filesystem::last_write_time(path) + std::chrono::seconds(5));
  CHECK_CODE(Search(runner, MakeArguments(*collection, 1, 3)), "EFILE_CHANGED");
  CHECK(engine->stats().fallbacks.empty());
}

TEST(ASearchCanBeCancelledWhereverItIs) {
  ThreadPool pool(1);
  EmulatedDevice device;
  const auto collection = MakeExample(pool, "cancelled");
  for (const bool falls_back : {false, true}) {
    if (falls_back) device.FailEveryAllocationFrom(0);
    const auto engine = MakeEngine(device);
    SearchRunner runner(pool, collection, engine);
    for (int i = 0; i < 5; ++i) {
      SearchRunner::Handle handle;
      const SearchArguments arguments = MakeArguments(*collection, 12, 10);
      std::future<SearchResult> result = StartSearch(runner, arguments, &handle);
      SearchRunner::Cancel(handle);
      std::string code;
      try {
        // Too late is not an error.
        CHECK(SameResult(result.get(), ExactResult(pool, collection, arguments)));
      } catch (const Error& error) {
        code = error.code;
      }
      CHECK(code.empty() || code == "ECANCELLED");
    }
  }
}

TEST(SmallSearchesStayOnTheProcessor) {
  ThreadPool pool(1);
  const EmulatedDevice device;
  const auto collection = MakeExample(pool, "small");
  const GpuEngine engine(device.api(), 0, kPlenty);
  CHECK(!engine.Wants(*collection, MakeArguments(*collection, 1, 10)));
  const auto eager = MakeEngine(device);
  SearchArguments arguments = MakeArguments(*collection, 1, 10);
  CHECK(eager->Wants(*collection, arguments));
  arguments.mask_words.assign((kRows + 63) / 64, 1);
  CHECK(!eager->Wants(*collection, arguments));
  arguments = MakeArguments(*collection, 0, 10);
  CHECK(!eager->Wants(*collection, arguments));
  arguments = MakeArguments(*collection, 1, 0);
  CHECK(!eager->Wants(*collection, arguments));
}

}  // namespace
}  // namespace synoptic::test
