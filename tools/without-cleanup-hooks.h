// Included ahead of better-sqlite3's own sources. From 24.19 on, ObjectWrap of Node 24 removes a
// hook of its environment where there may be none, and aborts the process when garbage is collected
// outside of JavaScript (nodejs/node#65446). Earlier ones have no hook; other majors may have one.
#include <node.h>
#include <node_version.h>

#if NODE_MAJOR_VERSION == 24
#define AddEnvironmentCleanupHook(...) static_cast<void>(0)
#define RemoveEnvironmentCleanupHook(...) static_cast<void>(0)
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
#endif
