// The addon's exports: NativeAddon in src/native/addon/contract.ts.

#include <napi.h>

#include <memory>
#include <utility>

#include "addon_state.h"
#include "arguments.h"
#include "base/free_memory.h"
#include "checked_file_wrap.h"
#include "codes_calls.h"
#include "collection_wrap.h"
#include "engine/loose_vectors.h"
#include "gpu_calls.h"
#include "keep_loaded.h"
#include "kernels/cpu.h"
#include "max_sim_wrap.h"
#include "named_numbers_wrap.h"
#include "promise_worker.h"
#include "row_columns_calls.h"
#include "row_index_wrap.h"
#include "row_words_wrap.h"
#include "title_table_wrap.h"

namespace synoptic {
namespace {

// One array of bytes a column.
std::vector<std::vector<std::uint8_t>> ReadHashes(const Napi::CallbackInfo& info,
                                                  std::size_t index) {
  if (!info[index].IsArray()) {
    throw Napi::TypeError::New(info.Env(), "hashes: expected an array of Uint8Array");
  }
  const auto array = info[index].As<Napi::Array>();
  std::vector<std::vector<std::uint8_t>> hashes;
  for (std::uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::Value element = array[i];
    if (!element.IsTypedArray() ||
        element.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
      throw Napi::TypeError::New(info.Env(), "hashes: expected an array of Uint8Array");
    }
    const auto bytes = element.As<Napi::Uint8Array>();
    hashes.emplace_back(bytes.Data(), bytes.Data() + bytes.ElementLength());
  }
  return hashes;
}

Napi::Value OpenCollection(const Napi::CallbackInfo& info) {
  std::vector<std::string> paths = ReadStrings(info, 0, "paths");
  std::vector<std::vector<std::uint8_t>> hashes = ReadHashes(info, 1);
  return RunPromise<std::shared_ptr<Collection>>(
      info.Env(),
      [&](Collection::Opened opened) {
        std::vector<BlockHashes> blocks;
        for (const auto& bytes : hashes) blocks.push_back({0, ToHashes(bytes)});
        Collection::Open(ThreadPool::Shared(), ActiveKernels(), std::move(paths), std::move(opened),
                         std::move(blocks));
      },
      [](Napi::Env env, const std::shared_ptr<Collection>& collection) {
        return CollectionWrap::Wrap(env, collection);
      });
}

// Some hundreds of kilobytes at most, scored on the calling thread.
Napi::Value ScoreLoose(const Napi::CallbackInfo& info) {
  std::vector<float> query = ReadArray<float>(info, 0, "query", napi_float32_array);
  const Napi::Value value = info[1];
  if (!value.IsTypedArray() ||
      value.As<Napi::TypedArray>().TypedArrayType() != napi_float32_array || query.empty() ||
      value.As<Napi::TypedArray>().ElementLength() % query.size() != 0) {
    throw Napi::TypeError::New(info.Env(), "vectors: expected whole vectors in a Float32Array");
  }
  const auto vectors = value.As<Napi::Float32Array>();
  const std::size_t count = vectors.ElementLength() / query.size();
  try {
    return ToTypedArray<Napi::Float32Array>(
        info.Env(), ScoreVectors(ActiveKernels(), std::move(query), vectors.Data(), count));
  } catch (...) {
    throw Napi::Error(info.Env(), ToJavaScriptError(info.Env(), std::current_exception()));
  }
}

Napi::Value ReturnFree(const Napi::CallbackInfo& info) {
  ReturnFreeMemory();
  return info.Env().Undefined();
}

Napi::Value LimitScanThreads(const Napi::CallbackInfo& info) {
  ThreadPool::Shared().Limit(static_cast<unsigned>(ReadCount(info, 0, "limit")));
  return info.Env().Undefined();
}

Napi::Object Initialise(Napi::Env env, Napi::Object exports) {
  KeepLoaded();
  try {
    // Chosen now, so that a wrong setting is reported at start-up and not by the first search.
    exports["kernel"] = Napi::String::New(env, ActiveKernels().name);
    exports["threads"] = Napi::Number::New(env, ThreadPool::Shared().thread_count());
  } catch (...) {
    throw Napi::Error(env, ToJavaScriptError(env, std::current_exception()));
  }
  Napi::Array names = Napi::Array::New(env);
  for (const Kernels* kernels : AvailableKernels()) names[names.Length()] = kernels->name;
  exports["kernels"] = names;
  AddonState::Install(env);
  AddonState::Of(env)->collection_constructor = Napi::Persistent(CollectionWrap::Define(env));
  AddonState::Of(env)->max_sim_constructor = Napi::Persistent(MaxSimWrap::Define(env));
  AddonState::Of(env)->checked_file_constructor = Napi::Persistent(CheckedFileWrap::Define(env));
  AddonState::Of(env)->row_index_constructor = Napi::Persistent(RowIndexWrap::Define(env));
  exports["openCheckedFile"] =
      Napi::Function::New(env, CheckedFileWrap::OpenFile, "openCheckedFile");
  exports["hashBlock"] = Napi::Function::New(env, CheckedFileWrap::HashBlock, "hashBlock");
  exports["openCollection"] = Napi::Function::New(env, OpenCollection, "openCollection");
  DefineCodesCalls(env, exports);
  DefineRowColumns(env, exports);
  DefineGpuCalls(env, exports);
  exports["openMaxSim"] = Napi::Function::New(env, MaxSimWrap::OpenFiles, "openMaxSim");
  exports["openRowIndex"] = Napi::Function::New(env, RowIndexWrap::OpenIndex, "openRowIndex");
  exports["NamedNumbers"] = NamedNumbersWrap::Define(env);
  exports["RowWords"] = RowWordsWrap::Define(env);
  exports["TitleTable"] = TitleTableWrap::Define(env);
  exports["scoreVectors"] = Napi::Function::New(env, ScoreLoose, "scoreVectors");
  exports["limitScanThreads"] = Napi::Function::New(env, LimitScanThreads, "limitScanThreads");
  exports["returnFreeMemory"] = Napi::Function::New(env, ReturnFree, "returnFreeMemory");
  return exports;
}

}  // namespace
}  // namespace synoptic

static Napi::Object Initialise(Napi::Env env, Napi::Object exports) {
  return synoptic::Initialise(env, exports);
}

NODE_API_MODULE(synoptic, Initialise)
