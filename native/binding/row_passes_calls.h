// Passes over arrays of rows from JavaScript, in place and on the calling thread: NativeRowPasses
// in src/native/addon/contract.ts.

#ifndef SYNOPTIC_BINDING_ROW_PASSES_CALLS_H_
#define SYNOPTIC_BINDING_ROW_PASSES_CALLS_H_

#include <napi.h>

namespace synoptic {

void DefineRowPasses(Napi::Env env, Napi::Object exports);

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_ROW_PASSES_CALLS_H_
