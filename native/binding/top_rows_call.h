// The export `topRows`: it works on a JavaScript array while it is called.

#ifndef SYNOPTIC_BINDING_TOP_ROWS_CALL_H_
#define SYNOPTIC_BINDING_TOP_ROWS_CALL_H_

#include <napi.h>

namespace synoptic {

void DefineTopRows(Napi::Env env, Napi::Object exports);

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_TOP_ROWS_CALL_H_
