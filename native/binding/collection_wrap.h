// The JavaScript handle of a collection: NativeCollection in src/native/addon/contract.ts.

#ifndef SYNOPTIC_BINDING_COLLECTION_WRAP_H_
#define SYNOPTIC_BINDING_COLLECTION_WRAP_H_

#include <napi.h>

#include <memory>
#include <unordered_map>

#include "running_checks.h"
#include "search/search_runner.h"

namespace synoptic {

// Owns a share of its collection until close(); searches in flight hold their own.
class CollectionWrap : public Napi::ObjectWrap<CollectionWrap> {
 public:
  static Napi::Function Define(Napi::Env env);
  static Napi::Value Wrap(Napi::Env env, const std::shared_ptr<Collection>& collection);

  explicit CollectionWrap(const Napi::CallbackInfo& info);
  ~CollectionWrap() override;

 private:
  // Searches that may still be cancelled, by the number that JavaScript gave them.
  using Running = std::unordered_map<std::size_t, SearchRunner::Handle>;

  Napi::Value Rows(const Napi::CallbackInfo& info);
  Napi::Value Dimension(const Napi::CallbackInfo& info);
  Napi::Value Search(const Napi::CallbackInfo& info);
  Napi::Value ValidRows(const Napi::CallbackInfo& info);
  Napi::Value Vectors(const Napi::CallbackInfo& info);
  Napi::Value Stats(const Napi::CallbackInfo& info);
  Napi::Value Verify(const Napi::CallbackInfo& info);
  void CancelVerify(const Napi::CallbackInfo& info);
  void Cancel(const Napi::CallbackInfo& info);
  void Close(const Napi::CallbackInfo& info);

  void Release(Napi::Env env);
  const Collection& Open(const Napi::CallbackInfo& info) const;

  std::unique_ptr<SearchRunner> runner_;
  std::shared_ptr<Running> running_ = std::make_shared<Running>();
  RunningChecks checks_;
  std::int64_t external_bytes_ = 0;
};

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_COLLECTION_WRAP_H_
