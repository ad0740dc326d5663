#include "collection_wrap.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "addon_state.h"
#include "arguments.h"
#include "base/error.h"
#include "promise_worker.h"

namespace synoptic {
namespace {

// Bits of bytes, least significant first, are bits of little-endian words.
std::vector<std::uint64_t> ToMaskWords(const std::vector<std::uint8_t>& mask, std::size_t rows) {
  if (mask.size() != (rows + 7) / 8) {
    throw Error("EARGUMENT", "mask: expected " + std::to_string((rows + 7) / 8) +
                                 " bytes, received " + std::to_string(mask.size()));
  }
  std::vector<std::uint64_t> words((rows + 63) / 64);
  if (!mask.empty()) std::memcpy(words.data(), mask.data(), mask.size());
  return words;
}

Napi::Value ToResult(Napi::Env env, const SearchResult& result) {
  Napi::Object value = Napi::Object::New(env);
  value["rows"] = ToTypedArray<Napi::Uint32Array>(env, result.rows);
  value["columns"] = ToTypedArray<Napi::Uint16Array>(env, result.columns);
  value["scores"] = ToTypedArray<Napi::Float32Array>(env, result.scores);
  value["counts"] = ToTypedArray<Napi::Uint32Array>(env, result.counts);
  if (result.device >= 0) value["device"] = "cuda:" + std::to_string(result.device);
  return value;
}

// Null: the column has no codes.
Napi::Value ToCodesStats(Napi::Env env, const Collection& collection, std::uint32_t column) {
  Napi::Object stats = Napi::Object::New(env);
  if (const QuantizedCodes* codes = collection.codes(column)) {
    stats["bits"] = static_cast<double>(codes->layout().bits);
    stats["bytes"] = static_cast<double>(codes->file().size());
    stats["predictedCandidates"] = static_cast<double>(codes->predicted_candidates());
    return stats;
  }
  const Error* refusal = collection.codes_refusal(column);
  if (refusal == nullptr) return env.Null();
  stats["refused"] = ToJavaScriptError(env, std::make_exception_ptr(*refusal));
  return stats;
}

}  // namespace

Napi::Function CollectionWrap::Define(Napi::Env env) {
  return DefineClass(env, "NativeCollection",
                     {InstanceAccessor<&CollectionWrap::Rows>("rows"),
                      InstanceAccessor<&CollectionWrap::Dimension>("dimension"),
                      InstanceMethod<&CollectionWrap::Search>("search"),
                      InstanceMethod<&CollectionWrap::Cancel>("cancel"),
                      InstanceMethod<&CollectionWrap::ValidRows>("validRows"),
                      InstanceMethod<&CollectionWrap::Vectors>("vectors"),
                      InstanceMethod<&CollectionWrap::Stats>("stats"),
                      InstanceMethod<&CollectionWrap::Verify>("verify"),
                      InstanceMethod<&CollectionWrap::CancelVerify>("cancelVerify"),
                      InstanceMethod<&CollectionWrap::Close>("close")});
}

Napi::Value CollectionWrap::Wrap(Napi::Env env, const std::shared_ptr<Collection>& collection) {
  const Napi::Object object = AddonState::Of(env)->collection_constructor.New({});
  CollectionWrap* wrap = Unwrap(object);
  wrap->runner_ =
      std::make_unique<SearchRunner>(ThreadPool::Shared(), collection, SharedGpuEngine());
  wrap->external_bytes_ = static_cast<std::int64_t>(collection->heap_bytes());
  Napi::MemoryManagement::AdjustExternalMemory(env, wrap->external_bytes_);
  return object;
}

CollectionWrap::CollectionWrap(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<CollectionWrap>(info) {}

CollectionWrap::~CollectionWrap() { Release(Env()); }

void CollectionWrap::Release(Napi::Env env) {
  if (runner_ == nullptr) return;
  checks_.Cancel();
  runner_.reset();
  Napi::MemoryManagement::AdjustExternalMemory(env, -external_bytes_);
}

const Collection& CollectionWrap::Open(const Napi::CallbackInfo& info) const {
  if (runner_ != nullptr) return runner_->collection();
  throw Napi::Error(info.Env(),
                    ToJavaScriptError(info.Env(), std::make_exception_ptr(Error(
                                                      "ECLOSED", "The collection is closed."))));
}

Napi::Value CollectionWrap::Rows(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Open(info).rows()));
}

Napi::Value CollectionWrap::Dimension(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Open(info).dimension()));
}

Napi::Value CollectionWrap::Search(const Napi::CallbackInfo& info) {
  Open(info);
  SearchArguments arguments;
  arguments.queries = ReadArray<float>(info, 0, "queries", napi_float32_array);
  arguments.query_count = ReadCount(info, 1, "count");
  arguments.k = ReadCount(info, 2, "k");
  arguments.columns = ReadArray<std::uint16_t>(info, 4, "columns", napi_uint16_array);
  arguments.distinct = ReadBool(info, 5, "distinct");
  const std::size_t ticket = ReadCount(info, 6, "ticket");
  const bool masked = !info[3].IsUndefined();
  std::vector<std::uint8_t> mask;
  if (masked) mask = ReadArray<std::uint8_t>(info, 3, "mask", napi_uint8_array);

  return RunPromise<SearchResult>(
      info.Env(),
      [&](SharedScan::Done done) {
        if (masked) arguments.mask_words = ToMaskWords(mask, runner_->collection().rows());
        (*running_)[ticket] = runner_->Start(std::move(arguments), std::move(done));
      },
      [](Napi::Env env, const SearchResult& result) { return ToResult(env, result); },
      [running = running_, ticket] { running->erase(ticket); });
}

void CollectionWrap::Cancel(const Napi::CallbackInfo& info) {
  const auto found = running_->find(ReadCount(info, 0, "ticket"));
  if (found == running_->end()) return;
  const SearchRunner::Handle handle = found->second;
  SearchRunner::Cancel(handle);
}

Napi::Value CollectionWrap::ValidRows(const Napi::CallbackInfo& info) {
  const Collection& collection = Open(info);
  const std::vector<std::uint64_t> words = collection.ValidRows();
  std::vector<std::uint8_t> bytes((collection.rows() + 7) / 8);
  // As in ToMaskWords, which takes such bytes back.
  if (!bytes.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return ToTypedArray<Napi::Uint8Array>(info.Env(), bytes);
}

// A few kilobytes, read on the calling thread.
Napi::Value CollectionWrap::Vectors(const Napi::CallbackInfo& info) {
  const Collection& collection = Open(info);
  const std::size_t row = ReadCount(info, 0, "row");
  return RunPromise<std::vector<float>>(
      info.Env(),
      [&](const std::function<void(std::exception_ptr, std::vector<float>)>& done) {
        done(nullptr, collection.Vectors(row));
      },
      [](Napi::Env env, const std::vector<float>& vectors) {
        return ToTypedArray<Napi::Float32Array>(env, vectors);
      });
}

Napi::Value CollectionWrap::Stats(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Collection& collection = Open(info);
  Napi::Object stats = Napi::Object::New(env);
  Napi::Array valid = Napi::Array::New(env, collection.matrices().size());
  for (std::uint32_t column = 0; column < collection.matrices().size(); ++column) {
    valid[column] = static_cast<double>(collection.matrices()[column].CountValid());
  }
  Napi::Array codes = Napi::Array::New(env, collection.matrices().size());
  for (std::uint32_t column = 0; column < collection.matrices().size(); ++column) {
    codes[column] = ToCodesStats(env, collection, column);
  }
  stats["codes"] = codes;
  stats["pairsScored"] = static_cast<double>(runner_->pairs_scored());
  stats["scannedBytes"] = static_cast<double>(runner_->scanned_bytes());
  stats["validRows"] = static_cast<double>(collection.CountValidRows());
  stats["validVectors"] = valid;
  stats["mappedBytes"] = static_cast<double>(collection.mapped_bytes());
  stats["heapBytes"] = static_cast<double>(collection.heap_bytes());
  return stats;
}

Napi::Value CollectionWrap::Verify(const Napi::CallbackInfo& info) {
  Open(info);
  return checks_.Start(info, Collection::Checks(runner_->shared_collection()));
}

void CollectionWrap::CancelVerify(const Napi::CallbackInfo&) { checks_.Cancel(); }

void CollectionWrap::Close(const Napi::CallbackInfo& info) { Release(info.Env()); }

}  // namespace synoptic
