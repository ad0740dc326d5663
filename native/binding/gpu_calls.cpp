#include "gpu_calls.h"

#include <chrono>
#include <string>

#include "arguments.h"
#include "gpu/gpu_engine.h"
#include "gpu/gpu_library.h"

namespace synoptic {
namespace {

Napi::Value Cuda(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GpuLibrary& library = SharedGpuLibrary();
  Napi::Object value = Napi::Object::New(env);
  value["available"] = library.api != nullptr;
  value["reason"] = library.reason;
  value["library"] = library.path;
  value["driverVersion"] = library.driver_version;
  value["builtWith"] = library.built_with;
  Napi::Array devices = Napi::Array::New(env);
  for (const SynopticDevice& device : library.devices) {
    Napi::Object described = Napi::Object::New(env);
    described["name"] = std::string(device.name);
    described["computeCapability"] =
        std::to_string(device.major) + "." + std::to_string(device.minor);
    described["multiprocessors"] = device.multiprocessors;
    described["totalBytes"] = static_cast<double>(device.total_bytes);
    devices[devices.Length()] = described;
  }
  value["devices"] = devices;
  return value;
}

Napi::Value Configure(const Napi::CallbackInfo& info) {
  if (!info[0].IsString() || !info[1].IsNumber()) {
    throw Napi::TypeError::New(info.Env(), "limit: expected a kind and a number");
  }
  const std::string kind = info[0].As<Napi::String>().Utf8Value();
  GpuLimit limit;
  limit.kind = kind == "bytes"     ? GpuLimit::Kind::kBytes
               : kind == "percent" ? GpuLimit::Kind::kPercent
                                   : GpuLimit::Kind::kAuto;
  limit.value = info[1].As<Napi::Number>().DoubleValue();
  limit.processes = static_cast<unsigned>(ReadCount(info, 2, "processes"));
  limit.device = static_cast<int>(ReadCount(info, 3, "device"));
  try {
    ConfigureGpu(limit);
  } catch (...) {
    throw Napi::Error(info.Env(), ToJavaScriptError(info.Env(), std::current_exception()));
  }
  return info.Env().Undefined();
}

// Null: there is no engine.
Napi::Value Stats(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto& engine = SharedGpuEngine();
  if (engine == nullptr) return env.Null();
  const GpuStats stats = engine->stats();
  Napi::Object value = Napi::Object::New(env);
  const auto set = [&](const char* name, std::uint64_t number) {
    value[name] = static_cast<double>(number);
  };
  value["device"] = "cuda:" + std::to_string(engine->device());
  set("limitBytes", stats.memory.limit_bytes);
  set("usedBytes", stats.memory.used_bytes);
  set("peakBytes", stats.memory.peak_bytes);
  set("residentLayouts", stats.memory.resident_layouts);
  set("evictions", stats.memory.evictions);
  set("searches", stats.searches);
  Napi::Object fallbacks = Napi::Object::New(env);
  for (const auto& [code, count] : stats.fallbacks) fallbacks[code] = static_cast<double>(count);
  value["fallbacks"] = fallbacks;
  value["lastFallback"] = stats.last_fallback;
  value["lost"] = stats.lost;
  value["blasReason"] = stats.blas_reason;
  return value;
}

Napi::Value ReleaseIdle(const Napi::CallbackInfo& info) {
  const std::size_t idle_ms = ReadCount(info, 0, "idleMs");
  const auto& engine = SharedGpuEngine();
  const std::uint64_t released =
      engine == nullptr ? 0 : engine->ReleaseIdle(std::chrono::milliseconds(idle_ms));
  return Napi::Number::New(info.Env(), static_cast<double>(released));
}

}  // namespace

void DefineGpuCalls(Napi::Env env, Napi::Object exports) {
  exports["cuda"] = Napi::Function::New(env, Cuda, "cuda");
  exports["configureGpu"] = Napi::Function::New(env, Configure, "configureGpu");
  exports["gpuStats"] = Napi::Function::New(env, Stats, "gpuStats");
  exports["releaseIdleGpu"] = Napi::Function::New(env, ReleaseIdle, "releaseIdleGpu");
}

}  // namespace synoptic
