// The JavaScript handle of the words of rows that an import reads: NativeRowWords in
// src/native/addon/contract.ts.

#ifndef SYNOPTIC_BINDING_ROW_WORDS_WRAP_H_
#define SYNOPTIC_BINDING_ROW_WORDS_WRAP_H_

#include <napi.h>

#include <optional>

#include "rows/row_words.h"
#include "rows/stem_postings.h"

namespace synoptic {

class RowWordsWrap : public Napi::ObjectWrap<RowWordsWrap> {
 public:
  static Napi::Function Define(Napi::Env env);

  explicit RowWordsWrap(const Napi::CallbackInfo& info);

 private:
  void Add(const Napi::CallbackInfo& info);
  Napi::Value Finish(const Napi::CallbackInfo& info);
  Napi::Value SetStems(const Napi::CallbackInfo& info);
  void SetFormula(const Napi::CallbackInfo& info);
  Napi::Value Next(const Napi::CallbackInfo& info);

  RowWords& Words(const Napi::CallbackInfo& info);
  StemPostings& Postings(const Napi::CallbackInfo& info);

  std::optional<RowWords> words_;
  std::optional<StemPostings> postings_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_ROW_WORDS_WRAP_H_
