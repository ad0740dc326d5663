#include "addon_state.h"

#include <utility>

namespace synoptic {
namespace {

// Owned by the environment; posts from the core's threads share the state itself.
struct Holder {
  std::shared_ptr<AddonState> state;
};

}  // namespace

void AddonState::Install(Napi::Env env) {
  auto state = std::make_shared<AddonState>();
  state->bridge_ = Bridge::New(env, "synoptic", 0, 1);
  state->bridge_.Unref(env);
  // Hooks run last in, first out: this one closes our side before Node closes the bridge.
  env.AddCleanupHook([state] { state->Close(); });
  env.SetInstanceData(new Holder{std::move(state)});
}

std::shared_ptr<AddonState> AddonState::Of(Napi::Env env) {
  return env.GetInstanceData<Holder>()->state;
}

void AddonState::BeginPromise(Napi::Env env) {
  if (pending_++ == 0) bridge_.Ref(env);
}

void AddonState::EndPromise(Napi::Env env) {
  if (--pending_ == 0) bridge_.Unref(env);
}

void AddonState::Post(Settle settle) {
  auto owned = std::make_unique<Settle>(std::move(settle));
  const std::lock_guard lock(mutex_);
  if (!open_) return;
  if (bridge_.NonBlockingCall(owned.get()) == napi_ok) owned.release();
}

void AddonState::Close() {
  // A search that the environment left behind holds this state longer, on a thread of the core's.
  collection_constructor.Reset();
  max_sim_constructor.Reset();
  checked_file_constructor.Reset();
  row_index_constructor.Reset();
  const std::lock_guard lock(mutex_);
  open_ = false;
}

void AddonState::Call(Napi::Env env, Napi::Function, std::nullptr_t*, Settle* settle) {
  const std::unique_ptr<Settle> owned(settle);
  if (static_cast<napi_env>(env) == nullptr) return;
  const Napi::HandleScope scope(env);
  (*owned)(env);
}

}  // namespace synoptic
