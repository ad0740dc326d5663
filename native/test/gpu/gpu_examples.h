// Collections for searches on a device, and results to compare: the same ones for the emulation and
// for a real device.

#ifndef SYNOPTIC_TEST_GPU_EXAMPLES_H_
#define SYNOPTIC_TEST_GPU_EXAMPLES_H_

#include <cstring>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "blocking_search.h"
#include "engine/exact_scan.h"
#include "fixtures.h"
#include "gpu/gpu_engine.h"
#include "gpu/gpu_search.h"
#include "harness.h"
#include "kernels/cpu.h"
#include "quantized/codes_builder.h"

namespace synoptic::test {

// A column of a collection: its values, and the bits of its codes; 0: none.
struct ExampleColumn {
  std::vector<float> values;
  std::size_t codes_bits;
};

inline std::shared_ptr<Collection> MakeCollection(ThreadPool& pool, const std::string& name,
                                                  std::size_t dimension,
                                                  const std::vector<ExampleColumn>& columns) {
  std::vector<std::string> paths;
  for (const ExampleColumn& column : columns) {
    std::string file = name;
    file.append("-").append(std::to_string(paths.size())).append(".npy");
    paths.push_back(ScratchFile(file));
    WriteFile(paths.back(), Npy(column.values.size() / dimension, dimension, column.values));
    if (column.codes_bits == 0) continue;
    std::promise<void> built;
    BuildCodes(pool, ActiveKernels(), {paths.back(), column.codes_bits}, nullptr,
               [&](std::exception_ptr error, BuiltCodes) {
                 if (error != nullptr) return built.set_exception(error);
                 built.set_value();
               });
    built.get_future().get();
  }
  return OpenCollection(pool, paths, ActiveKernels());
}

inline SearchArguments MakeArguments(const Collection& collection, std::size_t queries,
                                     std::size_t k, std::uint32_t seed = 42) {
  SearchArguments arguments;
  arguments.queries = RandomValues(queries * collection.dimension(), seed);
  arguments.query_count = queries;
  arguments.k = k;
  for (std::uint16_t column = 0; column < collection.matrices().size(); ++column) {
    arguments.columns.push_back(column);
  }
  return arguments;
}

// What the specification returns: scalar kernels, every row scored.
inline SearchResult ExactResult(ThreadPool& pool,
                                const std::shared_ptr<const Collection>& collection,
                                const SearchArguments& arguments) {
  std::promise<SearchResult> promise;
  const auto shared_scan = std::make_shared<SharedScan>(pool, collection, kChunkRows);
  shared_scan->Add(std::make_unique<ExactScan>(collection, arguments, pool.thread_count()),
                   [&](std::exception_ptr error, SearchResult result) {
                     if (error != nullptr) return promise.set_exception(error);
                     promise.set_value(std::move(result));
                   });
  return promise.get_future().get();
}

inline bool SameResult(const SearchResult& a, const SearchResult& b) {
  const auto same_bits = [](const std::vector<float>& x, const std::vector<float>& y) {
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0);
  };
  return a.counts == b.counts && a.rows == b.rows && a.columns == b.columns &&
         same_bits(a.scores, b.scores);
}

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_GPU_EXAMPLES_H_
