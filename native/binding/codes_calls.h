// Building quantized codes from JavaScript: buildCodes, codesProgress and cancelCodes of
// NativeAddon.

#ifndef SYNOPTIC_BINDING_CODES_CALLS_H_
#define SYNOPTIC_BINDING_CODES_CALLS_H_

#include <napi.h>

namespace synoptic {

void DefineCodesCalls(Napi::Env env, Napi::Object exports);

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_CODES_CALLS_H_
