#ifndef SYNOPTIC_CORE_THREAD_PRIORITY_H_
#define SYNOPTIC_CORE_THREAD_PRIORITY_H_

namespace synoptic {

// Lowers the calling thread's priority by ten steps: who computes gives way to the thread that
// answers clients, which needs little and needs it at once. Only on Linux, where priorities are of
// threads and not of processes.
void GiveWay() noexcept;

}  // namespace synoptic

#endif  // SYNOPTIC_CORE_THREAD_PRIORITY_H_
