// The exports `topRows`, `rowsWithin` and `rowsByValue`: passes over columns of JavaScript.

#ifndef SYNOPTIC_BINDING_ROW_COLUMNS_CALLS_H_
#define SYNOPTIC_BINDING_ROW_COLUMNS_CALLS_H_

#include <napi.h>

namespace synoptic {

void DefineRowColumns(Napi::Env env, Napi::Object exports);

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_ROW_COLUMNS_CALLS_H_
