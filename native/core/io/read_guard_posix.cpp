#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>

#include "io/read_guard.h"

namespace synoptic {

// Ranges live in a list that only grows and is reused, because the handler walks it without a lock.
// `version` is odd while a range is being written, so that the handler never pairs an old begin
// with a new end.
struct GuardedRange {
  std::atomic<std::uint32_t> version{0};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> lost{false};
  bool in_use = false;
  GuardedRange* next = nullptr;
};

namespace {

std::atomic<GuardedRange*> ranges{nullptr};
std::mutex writers;
struct sigaction former;
std::uintptr_t page_bytes = 4096;

GuardedRange* FindRange(std::uintptr_t address, std::uintptr_t* end) {
  for (GuardedRange* range = ranges.load(); range != nullptr; range = range->next) {
    const std::uint32_t version = range->version.load();
    const std::uintptr_t range_begin = range->begin.load();
    const std::uintptr_t range_end = range->end.load();
    if (version % 2 != 0 || version != range->version.load()) continue;
    if (address < range_begin || address >= range_end) continue;
    *end = range_end;
    return range;
  }
  return nullptr;
}

void OnBusError(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  std::uintptr_t end = 0;
  if (GuardedRange* range = FindRange(address, &end)) {
    range->lost.store(true);
    const std::uintptr_t page = address - address % page_bytes;
    void* zeros = mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    errno = saved_errno;
    if (zeros != MAP_FAILED) return;
  }
  errno = saved_errno;
  if ((former.sa_flags & SA_SIGINFO) != 0 && former.sa_sigaction != nullptr) {
    former.sa_sigaction(signal, info, context);
  } else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) {
    former.sa_handler(signal);
  } else {
    // Returning repeats the access, which then ends the process as it would have without us.
    struct sigaction fallback = {};
    fallback.sa_handler = SIG_DFL;
    sigaction(SIGBUS, &fallback, nullptr);
  }
}

void InstallHandler() {
  page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action = {};
  action.sa_sigaction = OnBusError;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &former);
}

}  // namespace

GuardedRange* GuardRange(const void* begin, std::size_t size) {
  static std::once_flag installed;
  std::call_once(installed, InstallHandler);
  const std::lock_guard lock(writers);
  GuardedRange* range = ranges.load();
  while (range != nullptr && range->in_use) range = range->next;
  if (range == nullptr) {
    range = new GuardedRange;
    range->next = ranges.load();
    ranges.store(range);
  }
  range->in_use = true;
  range->version.fetch_add(1);
  range->begin.store(reinterpret_cast<std::uintptr_t>(begin));
  // Whole pages, because the handler replaces whole pages.
  range->end.store(reinterpret_cast<std::uintptr_t>(begin) +
                   (size + page_bytes - 1) / page_bytes * page_bytes);
  range->lost.store(false);
  range->version.fetch_add(1);
  return range;
}

void ReleaseRange(GuardedRange* range) noexcept {
  const std::lock_guard lock(writers);
  range->version.fetch_add(1);
  range->begin.store(0);
  range->end.store(0);
  range->version.fetch_add(1);
  range->in_use = false;
}

bool RangeWasLost(const GuardedRange* range) noexcept { return range->lost.load(); }

}  // namespace synoptic
