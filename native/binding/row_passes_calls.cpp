#include "row_passes_calls.h"

#include <span>
#include <string>
#include <vector>

#include "arguments.h"
#include "rows/row_passes.h"

namespace synoptic {
namespace {

void Refuse(Napi::Env env, const char* name, const std::string& expected) {
  throw Napi::TypeError::New(env, std::string(name) + ": expected " + expected);
}

// The array itself, not a copy: it is read and written before the call returns.
template <class T>
std::span<T> View(Napi::Env env, const Napi::Value& value, const char* name,
                  napi_typedarray_type type) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
    Refuse(env, name, "a typed array of another type");
  }
  auto array = value.As<Napi::TypedArrayOf<T>>();
  return {array.Data(), array.ElementLength()};
}

template <class T>
std::span<T> View(const Napi::CallbackInfo& info, std::size_t index, const char* name,
                  napi_typedarray_type type, std::size_t length) {
  const std::span<T> view = View<T>(info.Env(), info[index], name, type);
  if (view.size() != length) {
    Refuse(info.Env(), name, std::to_string(length) + " values");
  }
  return view;
}

std::span<float> Floats(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  return View<float>(info.Env(), info[index], name, napi_float32_array);
}

double Number(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  if (!info[index].IsNumber()) Refuse(info.Env(), name, "a number");
  return info[index].As<Napi::Number>().DoubleValue();
}

Napi::Value TopRowsOf(const Napi::CallbackInfo& info) {
  const auto scores = Floats(info, 0, "scores");
  const std::size_t k = ReadCount(info, 1, "k");
  const double above = Number(info, 2, "above");
  std::span<const std::uint8_t> mask;
  if (!info[3].IsUndefined()) {
    mask = View<std::uint8_t>(info, 3, "mask", napi_uint8_array, (scores.size() + 7) / 8);
  }
  std::vector<std::uint32_t> rows;
  for (const Hit& hit : TopRows(scores, k, above, mask)) rows.push_back(hit.row);
  return ToTypedArray<Napi::Uint32Array>(info.Env(), rows);
}

void AddListTo(const Napi::CallbackInfo& info) {
  const auto sums = Floats(info, 0, "sums");
  const auto rows = View<std::uint32_t>(info.Env(), info[1], "rows", napi_uint32_array);
  const auto weights = View<float>(info, 2, "weights", napi_float32_array, rows.size());
  AddList(sums, rows, weights, Number(info, 3, "value"), ReadBool(info, 4, "onlyAlike"));
}

void DivideByNormsOf(const Napi::CallbackInfo& info) {
  const auto sums = Floats(info, 0, "sums");
  DivideByNorms(sums, View<double>(info, 1, "norms", napi_float64_array, sums.size()));
}

void AddSharesTo(const Napi::CallbackInfo& info) {
  const auto sums = Floats(info, 0, "sums");
  const auto likeness = View<float>(info, 1, "likeness", napi_float32_array, sums.size());
  const auto is_main = View<std::uint8_t>(info, 2, "isMain", napi_uint8_array, sums.size());
  AddShares(sums, likeness, is_main, Number(info, 3, "share"), Number(info, 4, "otherShare"));
}

void MixLikenessOf(const Napi::CallbackInfo& info) {
  const auto likeness = Floats(info, 0, "likeness");
  const std::size_t rows = likeness.size();
  LikenessColumns columns;
  columns.years = View<std::uint16_t>(info, 1, "years", napi_uint16_array, rows);
  columns.popularity = View<float>(info, 2, "popularity", napi_float32_array, rows);
  columns.franchises = View<std::int32_t>(info, 3, "franchises", napi_int32_array, rows);
  columns.recommended = Floats(info, 4, "recommended");
  if (!info[5].IsUndefined()) {
    columns.cosines = View<float>(info, 5, "cosines", napi_float32_array, rows);
  }
  const auto weights = View<double>(info, 6, "weights", napi_float64_array, 9);
  MixLikeness(likeness, columns,
              {weights[0], weights[1], weights[2], weights[3], weights[4], weights[5], weights[6],
               weights[7], weights[8]});
}

void FulfilOf(const Napi::CallbackInfo& info) {
  const auto fulfilled = Floats(info, 0, "fulfilled");
  if (!info[1].IsArray()) Refuse(info.Env(), "degrees", "an array of Float32Array");
  const auto degrees = info[1].As<Napi::Array>();
  const std::size_t count = degrees.Length();
  const auto shares = View<double>(info, 2, "shares", napi_float64_array, count);
  const auto weights = View<double>(info, 3, "weights", napi_float64_array, count);
  const auto subjects = View<std::uint8_t>(info, 4, "areSubjects", napi_uint8_array, count);
  const auto rules = View<double>(info, 5, "rules", napi_float64_array, 3);
  std::vector<RequestedFact> facts;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto own = View<float>(info.Env(), degrees[i], "degrees", napi_float32_array);
    if (own.size() != fulfilled.size()) Refuse(info.Env(), "degrees", "one value a row");
    facts.push_back({own, shares[i], weights[i], subjects[i] == 1});
  }
  Fulfil(fulfilled, facts, {rules[0], rules[1], rules[2]});
}

}  // namespace

void DefineRowPasses(Napi::Env env, Napi::Object exports) {
  exports["topRows"] = Napi::Function::New<TopRowsOf>(env, "topRows");
  exports["addList"] = Napi::Function::New<AddListTo>(env, "addList");
  exports["divideByNorms"] = Napi::Function::New<DivideByNormsOf>(env, "divideByNorms");
  exports["addShares"] = Napi::Function::New<AddSharesTo>(env, "addShares");
  exports["mixLikeness"] = Napi::Function::New<MixLikenessOf>(env, "mixLikeness");
  exports["fulfil"] = Napi::Function::New<FulfilOf>(env, "fulfil");
}

}  // namespace synoptic
