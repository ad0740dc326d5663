// The JavaScript handle of the titles that an import reads: NativeTitleTable in
// src/native/addon/contract.ts.

#ifndef SYNOPTIC_BINDING_TITLE_TABLE_WRAP_H_
#define SYNOPTIC_BINDING_TITLE_TABLE_WRAP_H_

#include <napi.h>

#include "rows/title_table.h"

namespace synoptic {

class TitleTableWrap : public Napi::ObjectWrap<TitleTableWrap> {
 public:
  static Napi::Function Define(Napi::Env env);

  explicit TitleTableWrap(const Napi::CallbackInfo& info)
      : Napi::ObjectWrap<TitleTableWrap>(info) {}

 private:
  Napi::Value Size(const Napi::CallbackInfo& info);
  void Add(const Napi::CallbackInfo& info);
  Napi::Value FindWords(const Napi::CallbackInfo& info);
  Napi::Value CountWords(const Napi::CallbackInfo& info);
  Napi::Value Build(const Napi::CallbackInfo& info);

  TitleTable table_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_TITLE_TABLE_WRAP_H_
