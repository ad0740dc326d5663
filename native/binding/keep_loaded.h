// A worker thread that ends unloads the addons it loaded; the core's threads and signal handler
// would go on in code that is gone.

#ifndef SYNOPTIC_BINDING_KEEP_LOADED_H_
#define SYNOPTIC_BINDING_KEEP_LOADED_H_

namespace synoptic {

// Keeps this library in memory until the process ends.
void KeepLoaded() noexcept;

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_KEEP_LOADED_H_
