// The JavaScript handle of an index of rows: NativeRowIndex in src/native/addon/contract.ts.

#ifndef SYNOPTIC_BINDING_ROW_INDEX_WRAP_H_
#define SYNOPTIC_BINDING_ROW_INDEX_WRAP_H_

#include <napi.h>

#include <cstddef>
#include <map>
#include <memory>

#include "rows/fact_tables.h"
#include "rows/row_index.h"
#include "threads/block_job.h"

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
  Napi::Value Filter(const Napi::CallbackInfo& info);
  Napi::Value CountFacts(const Napi::CallbackInfo& info);
  Napi::Value Rank(const Napi::CallbackInfo& info);
  Napi::Value FindLikest(const Napi::CallbackInfo& info);
  Napi::Value Taste(const Napi::CallbackInfo& info);
  Napi::Value Likenesses(const Napi::CallbackInfo& info);
  void Cancel(const Napi::CallbackInfo& info);
  void Close(const Napi::CallbackInfo& info);

  const std::shared_ptr<const RowIndex>& Open(const Napi::CallbackInfo& info) const;

  // By ticket; on the JavaScript thread alone.
  using Running = std::map<std::size_t, std::shared_ptr<BlockJob>>;

  template <class Result, class Start, class ToValue>
  Napi::Value RunJob(const Napi::CallbackInfo& info, const Start& start, ToValue to_value);
  template <class Result, class Start, class ToValue>
  Napi::Value RunPass(const Napi::CallbackInfo& info, const Start& start, ToValue to_value);
  const std::shared_ptr<const FactTables>& Tables(const Napi::CallbackInfo& info);

  std::shared_ptr<const RowIndex> index_;
  // Opened at the first use.
  std::shared_ptr<const FactTables> tables_;
  std::shared_ptr<Running> running_ = std::make_shared<Running>();
};

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_ROW_INDEX_WRAP_H_
