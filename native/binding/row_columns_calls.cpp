#include "row_columns_calls.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "promise_worker.h"
#include "rows/row_columns.h"
#include "rows/top_rows.h"

namespace synoptic {
namespace {

void Refuse(Napi::Env env, const std::string& message) { throw Napi::TypeError::New(env, message); }

// The array itself, not a copy: it is read before the call returns.
template <class T>
std::span<const T> View(const Napi::CallbackInfo& info, std::size_t index, const char* name,
                        napi_typedarray_type type) {
  const Napi::Value value = info[index];
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
    Refuse(info.Env(), std::string(name) + ": expected another typed array");
  }
  const auto array = value.As<Napi::TypedArrayOf<T>>();
  return {array.Data(), array.ElementLength()};
}

Napi::Value TopRowsOf(const Napi::CallbackInfo& info) {
  const auto scores = View<float>(info, 0, "scores", napi_float32_array);
  const std::size_t k = ReadCount(info, 1, "k");
  const double above = ReadDouble(info, 2, "above");
  std::span<const std::uint8_t> mask;
  if (!info[3].IsUndefined()) {
    mask = View<std::uint8_t>(info, 3, "mask", napi_uint8_array);
    if (mask.size() != (scores.size() + 7) / 8) Refuse(info.Env(), "mask: expected a bit a row");
  }
  std::vector<std::uint32_t> rows;
  for (const Hit& hit : TopRows(scores, k, above, mask)) rows.push_back(hit.row);
  return ToTypedArray<Napi::Uint32Array>(info.Env(), rows);
}

Napi::Value RowsWithinOf(const Napi::CallbackInfo& info) {
  const auto values = View<double>(info, 0, "values", napi_float64_array);
  return ToTypedArray<Napi::Uint8Array>(
      info.Env(), RowsWithin(values, ReadDouble(info, 1, "first"), ReadDouble(info, 2, "last")));
}

Napi::Value RowsByValueOf(const Napi::CallbackInfo& info) {
  auto values = ReadArray<double>(info, 0, "values", napi_float64_array);
  const bool ascending = ReadBool(info, 1, "ascending");
  const bool positive_only = ReadBool(info, 2, "positiveOnly");
  return RunPromise<std::vector<std::uint32_t>>(
      info.Env(),
      [&](std::function<void(std::exception_ptr, std::vector<std::uint32_t>)> done) {
        StartRowsByValue(ThreadPool::Shared(), std::move(values), ascending, positive_only,
                         std::move(done));
      },
      ToTypedArray<Napi::Uint32Array, std::uint32_t>);
}

}  // namespace

void DefineRowColumns(Napi::Env env, Napi::Object exports) {
  exports["topRows"] = Napi::Function::New<TopRowsOf>(env, "topRows");
  exports["rowsWithin"] = Napi::Function::New<RowsWithinOf>(env, "rowsWithin");
  exports["rowsByValue"] = Napi::Function::New<RowsByValueOf>(env, "rowsByValue");
}

}  // namespace synoptic
