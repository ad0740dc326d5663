// Opens, builds and searches from a test's own thread: waits for the core's callbacks.

#ifndef SYNOPTIC_TEST_BLOCKING_SEARCH_H_
#define SYNOPTIC_TEST_BLOCKING_SEARCH_H_

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/collection.h"
#include "kernels/cpu.h"
#include "quantized/codes_builder.h"
#include "search/search_runner.h"

namespace synoptic::test {

inline std::shared_ptr<Collection> OpenCollection(ThreadPool& pool,
                                                  const std::vector<std::string>& paths,
                                                  const Kernels& kernels) {
  std::promise<std::shared_ptr<Collection>> opened;
  Collection::Open(pool, kernels, paths, [&](std::exception_ptr error, auto collection) {
    if (error != nullptr) {
      opened.set_exception(error);
    } else {
      opened.set_value(std::move(collection));
    }
  });
  return opened.get_future().get();
}

// `bits` 4, 8 or 0 for the planner's choice.
inline BuiltCodes BuildCodes(ThreadPool& pool, const std::string& path, std::size_t bits) {
  std::promise<BuiltCodes> promise;
  synoptic::BuildCodes(pool, ActiveKernels(), {path, bits}, nullptr,
                       [&](std::exception_ptr error, BuiltCodes built) {
                         if (error != nullptr) {
                           promise.set_exception(error);
                         } else {
                           promise.set_value(built);
                         }
                       });
  return promise.get_future().get();
}

inline std::future<SearchResult> StartSearch(SearchRunner& runner, SearchArguments arguments,
                                             SearchRunner::Handle* handle = nullptr) {
  auto promise = std::make_shared<std::promise<SearchResult>>();
  const auto started =
      runner.Start(std::move(arguments), [promise](std::exception_ptr error, SearchResult result) {
        if (error != nullptr) {
          promise->set_exception(error);
        } else {
          promise->set_value(std::move(result));
        }
      });
  if (handle != nullptr) *handle = started;
  return promise->get_future();
}

inline SearchResult Search(SearchRunner& runner, SearchArguments arguments) {
  return StartSearch(runner, std::move(arguments)).get();
}

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_BLOCKING_SEARCH_H_
