#include "top_rows_call.h"

#include <span>
#include <string>
#include <vector>

#include "arguments.h"
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
  if (!info[2].IsNumber()) Refuse(info.Env(), "above: expected a number");
  const double above = info[2].As<Napi::Number>().DoubleValue();
  std::span<const std::uint8_t> mask;
  if (!info[3].IsUndefined()) {
    mask = View<std::uint8_t>(info, 3, "mask", napi_uint8_array);
    if (mask.size() != (scores.size() + 7) / 8) Refuse(info.Env(), "mask: expected a bit a row");
  }
  std::vector<std::uint32_t> rows;
  for (const Hit& hit : TopRows(scores, k, above, mask)) rows.push_back(hit.row);
  return ToTypedArray<Napi::Uint32Array>(info.Env(), rows);
}

}  // namespace

void DefineTopRows(Napi::Env env, Napi::Object exports) {
  exports["topRows"] = Napi::Function::New<TopRowsOf>(env, "topRows");
}

}  // namespace synoptic
