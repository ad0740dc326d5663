// The JavaScript handle of an index of rows: NativeRowIndex in src/native/addon/contract.ts.

#ifndef SYNOPTIC_BINDING_ROW_INDEX_WRAP_H_
#define SYNOPTIC_BINDING_ROW_INDEX_WRAP_H_

#include <napi.h>

#include <memory>

#include "rows/row_index.h"

namespace synoptic {

// Owns a share of its index until close(); searches in flight hold their own.
class RowIndexWrap : public Napi::ObjectWrap<RowIndexWrap> {
 public:
  static Napi::Function Define(Napi::Env env);
  // The export `openRowIndex`.
  static Napi::Value OpenIndex(const Napi::CallbackInfo& info);

  explicit RowIndexWrap(const Napi::CallbackInfo& info);
  ~RowIndexWrap() override;

 private:
  Napi::Value Rows(const Napi::CallbackInfo& info);
  Napi::Value MappedBytes(const Napi::CallbackInfo& info);
  Napi::Value FindStems(const Napi::CallbackInfo& info);
  Napi::Value RowsWith(const Napi::CallbackInfo& info);
  Napi::Value SearchStems(const Napi::CallbackInfo& info);
  Napi::Value ScoreStems(const Napi::CallbackInfo& info);
  Napi::Value FindNames(const Napi::CallbackInfo& info);
  Napi::Value HasNameBeginning(const Napi::CallbackInfo& info);
  Napi::Value NameOf(const Napi::CallbackInfo& info);
  Napi::Value NumbersOf(const Napi::CallbackInfo& info);
  Napi::Value Section(const Napi::CallbackInfo& info);
  void Close(const Napi::CallbackInfo& info);

  const std::shared_ptr<const RowIndex>& Open(const Napi::CallbackInfo& info) const;

  std::shared_ptr<const RowIndex> index_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_ROW_INDEX_WRAP_H_
