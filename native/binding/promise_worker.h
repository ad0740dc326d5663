// The one way from a core job to a promise: read JavaScript values into plain ones, start the job
// with them, build JavaScript values from its result on the JavaScript thread.

#ifndef SYNOPTIC_BINDING_PROMISE_WORKER_H_
#define SYNOPTIC_BINDING_PROMISE_WORKER_H_

#include <napi.h>

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "addon_state.h"
#include "arguments.h"

namespace synoptic {

// `start` gets the callback that the core calls once, on any thread, with an error or a result;
// `to_value(env, result)` makes the promise's value, `ended` runs before the promise settles.
template <class Result, class Start, class ToValue>
Napi::Value RunPromise(
    Napi::Env env, Start start, ToValue to_value, std::function<void()> ended = [] {}) {
  const std::shared_ptr<AddonState> state = AddonState::Of(env);
  const auto deferred = Napi::Promise::Deferred::New(env);
  state->BeginPromise(env);
  const auto settle = [state, deferred, to_value, ended](std::exception_ptr error, Result result) {
    auto shared = std::make_shared<Result>(std::move(result));
    state->Post([state, deferred, to_value, ended, error, shared](Napi::Env env) {
      state->EndPromise(env);
      ended();
      if (error == nullptr) {
        deferred.Resolve(to_value(env, *shared));
      } else {
        deferred.Reject(ToJavaScriptError(env, error));
      }
    });
  };
  try {
    start(settle);
  } catch (...) {
    state->EndPromise(env);
    deferred.Reject(ToJavaScriptError(env, std::current_exception()));
  }
  return deferred.Promise();
}

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_PROMISE_WORKER_H_
