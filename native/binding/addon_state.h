// What the addon keeps for one environment (the main thread or a worker thread): the bridge from
// the core's threads back to its JavaScript thread. Nothing of JavaScript is static.

#ifndef SYNOPTIC_BINDING_ADDON_STATE_H_
#define SYNOPTIC_BINDING_ADDON_STATE_H_

#include <napi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>

namespace synoptic {

class AddonState {
 public:
  using Settle = std::function<void(Napi::Env)>;

  // Makes the state of `env`, which ends with it.
  static void Install(Napi::Env env);
  static std::shared_ptr<AddonState> Of(Napi::Env env);

  Napi::FunctionReference collection_constructor;
  Napi::FunctionReference max_sim_constructor;
  Napi::FunctionReference checked_file_constructor;
  Napi::FunctionReference row_index_constructor;

  // A promise begins or ends; the environment stays alive while one is pending. JavaScript thread.
  void BeginPromise(Napi::Env env);
  void EndPromise(Napi::Env env);

  // Runs `settle` on the JavaScript thread; drops it when the environment has ended. Any thread.
  void Post(Settle settle);

 private:
  static void Call(Napi::Env env, Napi::Function, std::nullptr_t*, Settle* settle);
  using Bridge = Napi::TypedThreadSafeFunction<std::nullptr_t, Settle, &AddonState::Call>;

  void Close();

  std::size_t pending_ = 0;
  std::mutex mutex_;
  bool open_ = true;
  Bridge bridge_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_ADDON_STATE_H_
