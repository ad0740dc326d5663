#include "row_words_wrap.h"

#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"

namespace synoptic {
namespace {

std::vector<std::uint32_t> ReadNumbers(const Napi::CallbackInfo& info, std::size_t index,
                                       const char* name) {
  return ReadArray<std::uint32_t>(info, index, name, napi_uint32_array);
}

}  // namespace

Napi::Function RowWordsWrap::Define(Napi::Env env) {
  return DefineClass(
      env, "NativeRowWords",
      {InstanceMethod<&RowWordsWrap::Add>("add"), InstanceMethod<&RowWordsWrap::Finish>("finish"),
       InstanceMethod<&RowWordsWrap::SetStems>("setStems"),
       InstanceMethod<&RowWordsWrap::SetFormula>("setFormula"),
       InstanceMethod<&RowWordsWrap::Next>("next")});
}

RowWordsWrap::RowWordsWrap(const Napi::CallbackInfo& info) : Napi::ObjectWrap<RowWordsWrap>(info) {
  words_.emplace(WordCharacters(ReadNumbers(info, 0, "wordCharacters")));
}

void RowWordsWrap::Add(const Napi::CallbackInfo& info) {
  Rethrown(info.Env(),
           [&] { Words(info).Add(ReadUnits(info, 0, "titles"), ReadUnits(info, 1, "texts")); });
}

Napi::Value RowWordsWrap::Finish(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  RowWords& words = Words(info);
  Rethrown(env, [&] { words.Finish(); });
  const std::u16string_view units = words.words().units();
  const auto ends = words.words().ends();
  const auto rows = words.word_rows();
  const auto lengths = words.lengths();
  Napi::Object value = Napi::Object::New(env);
  value["units"] =
      ToTypedArray<Napi::Uint16Array>(env, std::vector<std::uint16_t>(units.begin(), units.end()));
  value["ends"] =
      ToTypedArray<Napi::Uint32Array>(env, std::vector<std::uint32_t>(ends.begin(), ends.end()));
  value["rows"] =
      ToTypedArray<Napi::Uint32Array>(env, std::vector<std::uint32_t>(rows.begin(), rows.end()));
  value["total"] =
      Napi::Number::New(env, std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}));
  return value;
}

Napi::Value RowWordsWrap::SetStems(const Napi::CallbackInfo& info) {
  Rethrown(info.Env(), [&] {
    postings_.emplace(Words(info), WordStems{.stems = ReadCount(info, 0, "stems"),
                                             .codes = ReadNumbers(info, 1, "codes"),
                                             .other_ends = ReadNumbers(info, 2, "otherEnds"),
                                             .others = ReadNumbers(info, 3, "others")});
  });
  const auto rows = postings_->stem_rows();
  return ToTypedArray<Napi::Uint32Array>(info.Env(),
                                         std::vector<std::uint32_t>(rows.begin(), rows.end()));
}

void RowWordsWrap::SetFormula(const Napi::CallbackInfo& info) {
  Rethrown(info.Env(), [&] {
    Postings(info).SetFormula(
        {.rarities = ReadArray<double>(info, 0, "rarities", napi_float64_array),
         .saturation = ReadDouble(info, 1, "saturation"),
         .length_share = ReadDouble(info, 2, "lengthShare"),
         .mean_length = ReadDouble(info, 3, "meanLength"),
         .title_weight = static_cast<std::uint32_t>(ReadCount(info, 4, "titleWeight")),
         .units = ReadDouble(info, 5, "units")});
  });
}

Napi::Value RowWordsWrap::Next(const Napi::CallbackInfo& info) {
  const auto part =
      Rethrown(info.Env(), [&] { return Postings(info).Next(ReadCount(info, 0, "atOnce")); });
  if (!part.has_value()) {
    // The handle may wait long for a garbage collection.
    postings_.reset();
    words_.reset();
    return info.Env().Null();
  }
  Napi::Object value = Napi::Object::New(info.Env());
  value["postings"] = ToTypedArray<Napi::Uint16Array>(info.Env(), part->postings);
  value["ends"] = ToTypedArray<Napi::Uint32Array>(info.Env(), part->ends);
  return value;
}

RowWords& RowWordsWrap::Words(const Napi::CallbackInfo& info) {
  if (!words_.has_value()) throw Napi::TypeError::New(info.Env(), "expected no more calls");
  return *words_;
}

StemPostings& RowWordsWrap::Postings(const Napi::CallbackInfo& info) {
  if (!postings_.has_value()) throw Napi::TypeError::New(info.Env(), "expected stems first");
  return *postings_;
}

}  // namespace synoptic
