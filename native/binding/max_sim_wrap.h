// The JavaScript handle of a maxsim index: NativeMaxSim in src/native/addon/contract.ts.

#ifndef SYNOPTIC_BINDING_MAX_SIM_WRAP_H_
#define SYNOPTIC_BINDING_MAX_SIM_WRAP_H_

#include <napi.h>

#include <functional>
#include <memory>
#include <unordered_map>

#include "maxsim/max_sim.h"
#include "maxsim/max_sim_run.h"
#include "running_checks.h"

namespace synoptic {

// Owns a share of its index until close(); runs in flight hold their own.
class MaxSimWrap : public Napi::ObjectWrap<MaxSimWrap> {
 public:
  static Napi::Function Define(Napi::Env env);
  // The export `openMaxSim`.
  static Napi::Value OpenFiles(const Napi::CallbackInfo& info);

  explicit MaxSimWrap(const Napi::CallbackInfo& info);
  ~MaxSimWrap() override;

 private:
  // Runs that may still be cancelled, by the number that JavaScript gave them.
  using Running = std::unordered_map<std::size_t, std::shared_ptr<MaxSimRun>>;

  static Napi::Value Wrap(Napi::Env env, const std::shared_ptr<MaxSim>& index);

  Napi::Value Rows(const Napi::CallbackInfo& info);
  Napi::Value TokenNorms(const Napi::CallbackInfo& info);
  Napi::Value MappedBytes(const Napi::CallbackInfo& info);
  Napi::Value Score(const Napi::CallbackInfo& info);
  Napi::Value ScoreTexts(const Napi::CallbackInfo& info);
  Napi::Value Verify(const Napi::CallbackInfo& info);
  void CancelVerify(const Napi::CallbackInfo& info);
  void Cancel(const Napi::CallbackInfo& info);
  void Close(const Napi::CallbackInfo& info);

  // Starts a run; what `index` throws rejects its promise.
  Napi::Value Run(const Napi::CallbackInfo& info, std::size_t ticket,
                  std::function<std::shared_ptr<const MaxSim>()> index, MaxSimArguments arguments);

  const MaxSim& Open(const Napi::CallbackInfo& info) const;

  std::shared_ptr<const MaxSim> index_;
  RunningChecks checks_;
  std::shared_ptr<Running> running_ = std::make_shared<Running>();
};

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_MAX_SIM_WRAP_H_
