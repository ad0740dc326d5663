#ifndef SYNOPTIC_THREADS_THREAD_PRIORITY_H_
#define SYNOPTIC_THREADS_THREAD_PRIORITY_H_

namespace synoptic {

// Lowers the calling thread's priority by ten steps: who computes gives way to the thread that
// serves clients, which needs little and needs it at once. Only on Linux, where priorities are of
// threads and not of processes.
void GiveWay() noexcept;

// Lets a waiting thread have the calling thread's processor, for threads that have given way.
// Linux looks at who is worth more at its ticks only, which may be 4 ms apart: until then the
// thread that serves clients waits for one that was let in when it had last had its share.
void OfferProcessor() noexcept;

}  // namespace synoptic

#endif  // SYNOPTIC_THREADS_THREAD_PRIORITY_H_
