// The JavaScript handle of lists of numbers by name that an import collects: NativeNamedNumbers in
// src/native/addon/contract.ts.

#ifndef SYNOPTIC_BINDING_NAMED_NUMBERS_WRAP_H_
#define SYNOPTIC_BINDING_NAMED_NUMBERS_WRAP_H_

#include <napi.h>

#include "rows/named_numbers.h"

namespace synoptic {

class NamedNumbersWrap : public Napi::ObjectWrap<NamedNumbersWrap> {
 public:
  static Napi::Function Define(Napi::Env env);

  explicit NamedNumbersWrap(const Napi::CallbackInfo& info)
      : Napi::ObjectWrap<NamedNumbersWrap>(info) {}

 private:
  void Add(const Napi::CallbackInfo& info);
  Napi::Value Build(const Napi::CallbackInfo& info);

  NamedNumbers numbers_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_NAMED_NUMBERS_WRAP_H_
