#include "row_index_wrap.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "addon_state.h"
#include "arguments.h"
#include "base/error.h"
#include "promise_worker.h"
#include "rows/rank_plan.h"
#include "rows/rank_rows.h"
#include "rows/row_filter.h"
#include "rows/taste.h"
#include "rows/word_search.h"

namespace synoptic {
namespace {

constexpr std::uint32_t kNotFound = 0xffffffff;

std::vector<std::uint32_t> ReadNumbers(const Napi::CallbackInfo& info, std::size_t index,
                                       const char* name) {
  return ReadArray<std::uint32_t>(info, index, name, napi_uint32_array);
}

RowIndex::DatasetVersion ReadVersion(const Napi::CallbackInfo& info) {
  const auto bytes = ReadArray<std::uint8_t>(info, 1, "version", napi_uint8_array);
  RowIndex::DatasetVersion version;
  if (bytes.size() != version.size()) {
    throw Napi::TypeError::New(info.Env(), "version: expected 32 bytes");
  }
  std::copy(bytes.begin(), bytes.end(), version.begin());
  return version;
}

Napi::Value ToHits(Napi::Env env, const WordHits& hits) {
  Napi::Object value = Napi::Object::New(env);
  value["rows"] = ToTypedArray<Napi::Uint32Array>(env, hits.rows);
  value["scores"] = ToTypedArray<Napi::Float32Array>(env, hits.scores);
  return value;
}

RowMask ReadMask(const Napi::CallbackInfo& info, std::size_t index) {
  if (info[index].IsUndefined()) return {};
  return ReadArray<std::uint8_t>(info, index, "mask", napi_uint8_array);
}

Napi::Value ToRanked(Napi::Env env, const RankedRows& ranked) {
  Napi::Object value = Napi::Object::New(env);
  value["areChosen"] = Napi::Boolean::New(env, ranked.are_chosen);
  value["rows"] = ToTypedArray<Napi::Uint32Array>(env, ranked.rows);
  value["named"] = ToTypedArray<Napi::Uint32Array>(env, ranked.named);
  value["features"] = ToTypedArray<Napi::Float32Array>(env, ranked.features);
  value["known"] = Napi::Number::New(env, ranked.known);
  return value;
}

Napi::Value ToLikest(Napi::Env env, const LikestRows& likest) {
  Napi::Object value = Napi::Object::New(env);
  value["rows"] = ToTypedArray<Napi::Uint32Array>(env, likest.rows);
  value["likeness"] = ToTypedArray<Napi::Float32Array>(env, likest.likeness);
  return value;
}

}  // namespace

Napi::Function RowIndexWrap::Define(Napi::Env env) {
  return DefineClass(env, "NativeRowIndex",
                     {InstanceAccessor<&RowIndexWrap::Rows>("rows"),
                      InstanceAccessor<&RowIndexWrap::MappedBytes>("mappedBytes"),
                      InstanceMethod<&RowIndexWrap::FindStems>("findStems"),
                      InstanceMethod<&RowIndexWrap::RowsWith>("rowsWith"),
                      InstanceMethod<&RowIndexWrap::SearchStems>("searchStems"),
                      InstanceMethod<&RowIndexWrap::ScoreStems>("scoreStems"),
                      InstanceMethod<&RowIndexWrap::FindNames>("findNames"),
                      InstanceMethod<&RowIndexWrap::HasNameBeginning>("hasNameBeginning"),
                      InstanceMethod<&RowIndexWrap::NameOf>("nameOf"),
                      InstanceMethod<&RowIndexWrap::NumbersOf>("numbersOf"),
                      InstanceMethod<&RowIndexWrap::Section>("section"),
                      InstanceMethod<&RowIndexWrap::Filter>("filter"),
                      InstanceMethod<&RowIndexWrap::CountFacts>("countFacts"),
                      InstanceMethod<&RowIndexWrap::Rank>("rank"),
                      InstanceMethod<&RowIndexWrap::FindLikest>("findLikest"),
                      InstanceMethod<&RowIndexWrap::Taste>("taste"),
                      InstanceMethod<&RowIndexWrap::Likenesses>("likenesses"),
                      InstanceMethod<&RowIndexWrap::Cancel>("cancel"),
                      InstanceMethod<&RowIndexWrap::Close>("close")});
}

Napi::Value RowIndexWrap::OpenIndex(const Napi::CallbackInfo& info) {
  const RowIndex::DatasetVersion version = ReadVersion(info);
  return Rethrown(info.Env(), [&]() -> Napi::Value {
    auto index =
        info[0].IsString()
            ? RowIndex::Open(info[0].As<Napi::String>().Utf8Value(), version)
            : RowIndex::Of(ReadArray<std::uint8_t>(info, 0, "bytes", napi_uint8_array), version);
    const Napi::Object object = AddonState::Of(info.Env())->row_index_constructor.New({});
    Unwrap(object)->index_ = std::move(index);
    return object;
  });
}

RowIndexWrap::RowIndexWrap(const Napi::CallbackInfo& info) : Napi::ObjectWrap<RowIndexWrap>(info) {}

RowIndexWrap::~RowIndexWrap() = default;

const std::shared_ptr<const RowIndex>& RowIndexWrap::Open(const Napi::CallbackInfo& info) const {
  if (index_ != nullptr) return index_;
  throw Napi::Error(info.Env(),
                    ToJavaScriptError(info.Env(), std::make_exception_ptr(
                                                      Error("ECLOSED", "The index is closed."))));
}

Napi::Value RowIndexWrap::Rows(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Open(info)->rows()));
}

Napi::Value RowIndexWrap::MappedBytes(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Open(info)->mapped_bytes()));
}

Napi::Value RowIndexWrap::FindStems(const Napi::CallbackInfo& info) {
  std::vector<std::uint32_t> found;
  for (const std::string& stem : ReadStrings(info, 0, "stems")) {
    found.push_back(Open(info)->stems().Find(stem).value_or(kNotFound));
  }
  return ToTypedArray<Napi::Uint32Array>(info.Env(), found);
}

Napi::Value RowIndexWrap::RowsWith(const Napi::CallbackInfo& info) {
  const auto stems = ReadNumbers(info, 0, "stems");
  return Rethrown(info.Env(), [&] {
    return ToTypedArray<Napi::Uint32Array>(info.Env(), RowsWithWords(*Open(info), stems));
  });
}

Napi::Value RowIndexWrap::SearchStems(const Napi::CallbackInfo& info) {
  WordArguments arguments;
  arguments.stems = ReadNumbers(info, 0, "stems");
  arguments.k = ReadCount(info, 1, "k");
  if (!info[2].IsUndefined()) {
    arguments.mask = ReadArray<std::uint8_t>(info, 2, "mask", napi_uint8_array);
  }
  const auto index = Open(info);
  return RunPromise<WordHits>(
      info.Env(),
      [&](std::function<void(std::exception_ptr, WordHits)> done) {
        SearchWords(ThreadPool::Shared(), index, std::move(arguments), std::move(done));
      },
      ToHits);
}

Napi::Value RowIndexWrap::ScoreStems(const Napi::CallbackInfo& info) {
  auto stems = ReadNumbers(info, 0, "stems");
  auto rows = ReadNumbers(info, 1, "rows");
  const auto index = Open(info);
  return RunPromise<std::vector<float>>(
      info.Env(),
      [&](std::function<void(std::exception_ptr, std::vector<float>)> done) {
        ScoreWords(ThreadPool::Shared(), index, std::move(stems), std::move(rows), std::move(done));
      },
      ToTypedArray<Napi::Float32Array, float>);
}

Napi::Value RowIndexWrap::FindNames(const Napi::CallbackInfo& info) {
  const std::string kind = ReadString(info, 0, "kind");
  const auto wanted = ReadStrings(info, 1, "names");
  const auto index = Open(info);
  return Rethrown(info.Env(), [&] {
    const ListNames& names = index->Numbers(kind).names();
    std::vector<std::uint32_t> found;
    for (const std::string& name : wanted) found.push_back(names.Find(name).value_or(kNotFound));
    index->CheckUnchanged();
    return ToTypedArray<Napi::Uint32Array>(info.Env(), found);
  });
}

Napi::Value RowIndexWrap::HasNameBeginning(const Napi::CallbackInfo& info) {
  const std::string kind = ReadString(info, 0, "kind");
  const std::string beginning = ReadString(info, 1, "beginning");
  const auto index = Open(info);
  return Rethrown(info.Env(), [&] {
    const bool has = index->Numbers(kind).names().HasBeginning(beginning);
    index->CheckUnchanged();
    return Napi::Boolean::New(info.Env(), has);
  });
}

Napi::Value RowIndexWrap::NameOf(const Napi::CallbackInfo& info) {
  const std::string kind = ReadString(info, 0, "kind");
  const std::size_t list = ReadCount(info, 1, "list");
  const auto index = Open(info);
  return Rethrown(info.Env(), [&] {
    const ListNames& names = index->Numbers(kind).names();
    const std::string name(list < names.size() ? names.Of(list) : std::string_view());
    index->CheckUnchanged();
    return Napi::String::New(info.Env(), name);
  });
}

Napi::Value RowIndexWrap::NumbersOf(const Napi::CallbackInfo& info) {
  const std::string kind = ReadString(info, 0, "kind");
  const std::size_t list = ReadCount(info, 1, "list");
  const auto index = Open(info);
  return Rethrown(info.Env(), [&] {
    const auto own = index->Numbers(kind).Of(list);
    const std::vector<std::uint32_t> numbers(own.begin(), own.end());
    index->CheckUnchanged();
    return ToTypedArray<Napi::Uint32Array>(info.Env(), numbers);
  });
}

Napi::Value RowIndexWrap::Section(const Napi::CallbackInfo& info) {
  const std::string name = ReadString(info, 0, "name");
  const auto index = Open(info);
  return Rethrown(info.Env(), [&]() -> Napi::Value {
    const auto bytes = index->Bytes(name);
    if (bytes.empty()) return Napi::ArrayBuffer::New(info.Env(), 0);
    // JavaScript has no buffers that are read only; nobody writes to this one.
    return Napi::ArrayBuffer::New(
        info.Env(), const_cast<std::uint8_t*>(bytes.data()), bytes.size(),
        [](Napi::Env, void*, std::shared_ptr<const RowIndex>* owner) { delete owner; },
        new std::shared_ptr<const RowIndex>(index));
  });
}

const std::shared_ptr<const FactTables>& RowIndexWrap::Tables(const Napi::CallbackInfo& info) {
  const auto& index = Open(info);
  if (tables_ == nullptr) tables_ = std::make_shared<const FactTables>(index);
  return tables_;
}

// `start(tables, done)` returns the job; the last argument of the call is its ticket.
template <class Result, class Start, class ToValue>
Napi::Value RowIndexWrap::RunJob(const Napi::CallbackInfo& info, const Start& start,
                                 ToValue to_value) {
  const std::size_t ticket = ReadCount(info, info.Length() - 1, "ticket");
  return RunPromise<Result>(
      info.Env(),
      [&](std::function<void(std::exception_ptr, Result)> done) {
        (*running_)[ticket] = start(Tables(info), std::move(done));
      },
      to_value, [running = running_, ticket] { running->erase(ticket); });
}

// The same by a plan, the first argument of the call: `start(tables, plan, done)`.
template <class Result, class Start, class ToValue>
Napi::Value RowIndexWrap::RunPass(const Napi::CallbackInfo& info, const Start& start,
                                  ToValue to_value) {
  const std::vector<double> plan = ReadArray<double>(info, 0, "plan", napi_float64_array);
  return RunJob<Result>(
      info, [&](const auto& tables, auto done) { return start(tables, plan, std::move(done)); },
      to_value);
}

Napi::Value RowIndexWrap::Rank(const Napi::CallbackInfo& info) {
  RowMask mask = ReadMask(info, 1);
  RowMask named_mask = ReadMask(info, 2);
  return RunPass<RankedRows>(
      info,
      [&](const auto& tables, const auto& plan, auto done) {
        const std::size_t stems = tables->index->stems().size();
        return StartRank(ThreadPool::Shared(), tables, ReadRankPlan(plan, tables->rows, stems),
                         std::move(mask), std::move(named_mask), std::move(done));
      },
      ToRanked);
}

Napi::Value RowIndexWrap::FindLikest(const Napi::CallbackInfo& info) {
  RowMask mask = ReadMask(info, 1);
  return RunPass<LikestRows>(
      info,
      [&](const auto& tables, const auto& plan, auto done) {
        return StartFindLikest(ThreadPool::Shared(), tables, ReadLikestPlan(plan, tables->rows),
                               std::move(mask), std::move(done));
      },
      ToLikest);
}

Napi::Value RowIndexWrap::Filter(const Napi::CallbackInfo& info) {
  const std::vector<double> numbers = ReadArray<double>(info, 0, "plan", napi_float64_array);
  return Rethrown(info.Env(), [&] {
    return ToTypedArray<Napi::Uint8Array>(info.Env(),
                                          RowsThatPass(*Tables(info), ReadRowFilter(numbers)));
  });
}

Napi::Value RowIndexWrap::CountFacts(const Napi::CallbackInfo& info) {
  RowMask mask = ReadMask(info, 0);
  return RunJob<std::vector<std::uint32_t>>(
      info,
      [&](const auto& tables, auto done) {
        return StartCountFacts(ThreadPool::Shared(), tables, std::move(mask), std::move(done));
      },
      ToTypedArray<Napi::Uint32Array, std::uint32_t>);
}

Napi::Value RowIndexWrap::Taste(const Napi::CallbackInfo& info) {
  return RunPass<std::vector<float>>(
      info,
      [](const auto& tables, const auto& plan, auto done) {
        return StartTaste(ThreadPool::Shared(), tables, ReadTastePlan(plan, tables->rows),
                          std::move(done));
      },
      ToTypedArray<Napi::Float32Array, float>);
}

Napi::Value RowIndexWrap::Likenesses(const Napi::CallbackInfo& info) {
  return RunPass<std::vector<float>>(
      info,
      [](const auto& tables, const auto& plan, auto done) {
        return StartLikenesses(ThreadPool::Shared(), tables, ReadLikenessesPlan(plan, tables->rows),
                               std::move(done));
      },
      ToTypedArray<Napi::Float32Array, float>);
}

void RowIndexWrap::Cancel(const Napi::CallbackInfo& info) {
  const auto found = running_->find(ReadCount(info, 0, "ticket"));
  if (found != running_->end()) found->second->Cancel();
}

void RowIndexWrap::Close(const Napi::CallbackInfo&) {
  tables_.reset();
  index_.reset();
}

}  // namespace synoptic
