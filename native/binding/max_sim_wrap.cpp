#include "max_sim_wrap.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "addon_state.h"
#include "arguments.h"
#include "base/error.h"
#include "kernels/cpu.h"
#include "promise_worker.h"

namespace synoptic {
namespace {

std::vector<SourceHash> ToSources(const std::vector<std::uint8_t>& bytes) {
  if (bytes.size() % SourceHash().size() != 0) {
    throw Error("EARGUMENT", "sources: expected 32 bytes a column, received " +
                                 std::to_string(bytes.size()) + " in all");
  }
  std::vector<SourceHash> sources(bytes.size() / SourceHash().size());
  auto next = bytes.begin();
  for (SourceHash& source : sources) {
    std::copy_n(next, source.size(), source.begin());
    next += static_cast<std::ptrdiff_t>(source.size());
  }
  return sources;
}

Napi::Value ToResult(Napi::Env env, const MaxSimResult& result) {
  Napi::Object value = Napi::Object::New(env);
  value["scores"] = ToTypedArray<Napi::Float32Array>(env, result.scores);
  value["together"] = ToTypedArray<Napi::Float32Array>(env, result.together);
  value["columns"] = ToTypedArray<Napi::Uint16Array>(env, result.columns);
  return value;
}

// The first four arguments of a request.
MaxSimArguments ReadMeasures(const Napi::CallbackInfo& info) {
  MaxSimArguments arguments;
  arguments.tokens = ReadArray<std::uint16_t>(info, 0, "tokens", napi_uint16_array);
  arguments.exponents = ReadArray<std::uint8_t>(info, 1, "exponents", napi_uint8_array);
  arguments.full_levels = ReadArray<std::uint16_t>(info, 2, "fullLevels", napi_uint16_array);
  arguments.weights = ReadArray<float>(info, 3, "weights", napi_float32_array);
  return arguments;
}

}  // namespace

Napi::Function MaxSimWrap::Define(Napi::Env env) {
  return DefineClass(
      env, "NativeMaxSim",
      {InstanceAccessor<&MaxSimWrap::Rows>("rows"),
       InstanceAccessor<&MaxSimWrap::MappedBytes>("mappedBytes"),
       InstanceMethod<&MaxSimWrap::TokenNorms>("tokenNorms"),
       InstanceMethod<&MaxSimWrap::Score>("score"),
       InstanceMethod<&MaxSimWrap::ScoreTexts>("scoreTexts"),
       InstanceMethod<&MaxSimWrap::Cancel>("cancel"), InstanceMethod<&MaxSimWrap::Verify>("verify"),
       InstanceMethod<&MaxSimWrap::CancelVerify>("cancelVerify"),
       InstanceMethod<&MaxSimWrap::Close>("close")});
}

Napi::Value MaxSimWrap::OpenFiles(const Napi::CallbackInfo& info) {
  const Napi::Value path = info[0];
  if (!path.IsString()) throw Napi::TypeError::New(info.Env(), "table: expected a string");
  MaxSimFiles files;
  files.table = path.As<Napi::String>().Utf8Value();
  files.tokens = ReadCount(info, 1, "tokens");
  files.dimension = ReadCount(info, 2, "dimension");
  files.lists = ReadStrings(info, 3, "lists");
  const auto sources = ReadArray<std::uint8_t>(info, 4, "sources", napi_uint8_array);
  return RunPromise<std::shared_ptr<MaxSim>>(
      info.Env(),
      [&](MaxSim::Opened opened) {
        files.sources = ToSources(sources);
        MaxSim::Open(ThreadPool::Shared(), ActiveKernels(), std::move(files), std::move(opened));
      },
      [](Napi::Env env, const std::shared_ptr<MaxSim>& index) { return Wrap(env, index); });
}

Napi::Value MaxSimWrap::Wrap(Napi::Env env, const std::shared_ptr<MaxSim>& index) {
  const Napi::Object object = AddonState::Of(env)->max_sim_constructor.New({});
  Unwrap(object)->index_ = index;
  return object;
}

MaxSimWrap::MaxSimWrap(const Napi::CallbackInfo& info) : Napi::ObjectWrap<MaxSimWrap>(info) {}

MaxSimWrap::~MaxSimWrap() = default;

const MaxSim& MaxSimWrap::Open(const Napi::CallbackInfo& info) const {
  if (index_ != nullptr) return *index_;
  throw Napi::Error(info.Env(),
                    ToJavaScriptError(info.Env(), std::make_exception_ptr(
                                                      Error("ECLOSED", "The index is closed."))));
}

Napi::Value MaxSimWrap::Rows(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Open(info).rows()));
}

Napi::Value MaxSimWrap::MappedBytes(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Open(info).mapped_bytes()));
}

Napi::Value MaxSimWrap::TokenNorms(const Napi::CallbackInfo& info) {
  return ToTypedArray<Napi::Float32Array>(info.Env(), Open(info).table().norms());
}

Napi::Value MaxSimWrap::Score(const Napi::CallbackInfo& info) {
  Open(info);
  MaxSimArguments arguments = ReadMeasures(info);
  if (!info[4].IsUndefined()) {
    arguments.rows = ReadArray<std::uint32_t>(info, 4, "rows", napi_uint32_array);
  }
  const std::size_t ticket = ReadCount(info, 5, "ticket");
  return Run(info, ticket, [this] { return index_; }, std::move(arguments));
}

Napi::Value MaxSimWrap::ScoreTexts(const Napi::CallbackInfo& info) {
  Open(info);
  MaxSimArguments arguments = ReadMeasures(info);
  auto tokens = ReadArray<std::uint16_t>(info, 4, "tokens of texts", napi_uint16_array);
  const auto ends = ReadArray<std::uint32_t>(info, 5, "ends", napi_uint32_array);
  const std::size_t ticket = ReadCount(info, 6, "ticket");
  const auto index = [&] {
    return MaxSim::WithTexts(index_,
                             TokenLists::Of(std::move(tokens), ends, index_->table().tokens()));
  };
  return Run(info, ticket, index, std::move(arguments));
}

Napi::Value MaxSimWrap::Run(const Napi::CallbackInfo& info, std::size_t ticket,
                            std::function<std::shared_ptr<const MaxSim>()> index,
                            MaxSimArguments arguments) {
  return RunPromise<MaxSimResult>(
      info.Env(),
      [&](MaxSimRun::Done done) {
        (*running_)[ticket] =
            MaxSimRun::Start(ThreadPool::Shared(), index(), std::move(arguments), std::move(done));
      },
      [](Napi::Env env, const MaxSimResult& result) { return ToResult(env, result); },
      // Weak: the run holds this function, and outlives an environment that ends.
      [weak = std::weak_ptr(running_), ticket] {
        if (const auto running = weak.lock()) running->erase(ticket);
      });
}

void MaxSimWrap::Cancel(const Napi::CallbackInfo& info) {
  const auto found = running_->find(ReadCount(info, 0, "ticket"));
  if (found != running_->end()) found->second->Cancel();
}

Napi::Value MaxSimWrap::Verify(const Napi::CallbackInfo& info) {
  Open(info);
  return checks_.Start(info, MaxSim::Checks(index_));
}

void MaxSimWrap::CancelVerify(const Napi::CallbackInfo&) { checks_.Cancel(); }

void MaxSimWrap::Close(const Napi::CallbackInfo&) {
  checks_.Cancel();
  index_.reset();
}

}  // namespace synoptic
