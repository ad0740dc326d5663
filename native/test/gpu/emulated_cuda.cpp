#include "emulated_cuda.h"

#include <setjmp.h>
#include <ucontext.h>

#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace synoptic::test::emulation {

Place place;

namespace {

constexpr unsigned kWarp = 32;
constexpr std::size_t kStackBytes = std::size_t{256} << 10;

enum class State { kReady, kInWarp, kInBlock, kEnded };

struct Fiber {
  ucontext_t context;
  jmp_buf jump;
  bool has_begun = false;
  std::unique_ptr<char[]> stack = std::make_unique<char[]>(kStackBytes);
  State state = State::kReady;
  unsigned index = 0;
  // How many times its warp has met; the values of two meetings are kept, so that a lane that runs
  // ahead does not overwrite what another has not read yet.
  unsigned meetings = 0;
};

struct Block {
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<std::uint64_t> traded;
  std::vector<unsigned> waiting_in_warp;
  unsigned waiting = 0;
  unsigned alive = 0;
  std::vector<std::uint64_t> shared;
  const std::function<void()>* kernel = nullptr;
  Fiber* running = nullptr;
  ucontext_t scheduler;
  jmp_buf scheduler_jump;
};

Block block;
std::mt19937 generator(1);

#if defined(__SANITIZE_ADDRESS__)

// AddressSanitizer has to know which stack is in use.
const void* scheduler_stack = nullptr;
std::size_t scheduler_stack_bytes = 0;

void SwitchToFiber(Fiber& fiber) {
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, fiber.stack.get(), kStackBytes);
  swapcontext(&block.scheduler, &fiber.context);
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
}

void SwitchToScheduler(Fiber& fiber) {
  void* fake = nullptr;
  const bool has_ended = fiber.state == State::kEnded;
  __sanitizer_start_switch_fiber(has_ended ? nullptr : &fake, scheduler_stack,
                                 scheduler_stack_bytes);
  swapcontext(&fiber.context, &block.scheduler);
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
}

void EnterFiber() {
  __sanitizer_finish_switch_fiber(nullptr, &scheduler_stack, &scheduler_stack_bytes);
}

#else

// swapcontext gets the signal mask from the kernel each time; a jump does not.
void SwitchToFiber(Fiber& fiber) {
  if (_setjmp(block.scheduler_jump) != 0) return;
  if (fiber.has_begun) _longjmp(fiber.jump, 1);
  fiber.has_begun = true;
  setcontext(&fiber.context);
}

void SwitchToScheduler(Fiber& fiber) {
  if (_setjmp(fiber.jump) == 0) _longjmp(block.scheduler_jump, 1);
}

void EnterFiber() {}

#endif

// From the scheduler to a fiber, until it waits or ends.
void Resume(Fiber& fiber) {
  block.running = &fiber;
  place.thread = {fiber.index, 0, 0};
  SwitchToFiber(fiber);
}

void Yield(State state) {
  Fiber& fiber = *block.running;
  fiber.state = state;
  SwitchToScheduler(fiber);
}

void Begin() {
  EnterFiber();
  (*block.kernel)();
  Yield(State::kEnded);
}

void PrepareFibers(unsigned threads) {
  while (block.fibers.size() < threads) block.fibers.push_back(std::make_unique<Fiber>());
  for (unsigned i = 0; i < threads; ++i) {
    Fiber& fiber = *block.fibers[i];
    fiber.state = State::kReady;
    fiber.index = i;
    fiber.meetings = 0;
    fiber.has_begun = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, Begin, 0);
  }
  block.traded.assign(2 * threads, 0);
  block.waiting_in_warp.assign(threads / kWarp, 0);
  block.waiting = 0;
  block.alive = threads;
}

void WakeAll(State state, unsigned first, unsigned end) {
  for (unsigned i = first; i < end; ++i) {
    if (block.fibers[i]->state == state) block.fibers[i]->state = State::kReady;
  }
}

void RunBlock(unsigned threads) {
  PrepareFibers(threads);
  std::vector<unsigned> order(threads);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), generator);
  while (block.alive > 0) {
    bool went_on = false;
    for (const unsigned i : order) {
      Fiber& fiber = *block.fibers[i];
      if (fiber.state != State::kReady) continue;
      went_on = true;
      Resume(fiber);
      if (fiber.state == State::kEnded) --block.alive;
    }
    // A barrier waits for the threads that have not ended.
    if (block.waiting > 0 && block.waiting == block.alive) {
      block.waiting = 0;
      WakeAll(State::kInBlock, 0, threads);
      went_on = true;
    }
    if (!went_on) throw std::runtime_error("a kernel's threads wait for each other for ever");
  }
}

}  // namespace

void Shuffle(std::uint32_t seed) { generator.seed(seed); }

void Launch(Index grid, unsigned threads, std::size_t shared_bytes,
            const std::function<void()>& kernel) {
  if (threads % kWarp != 0) throw std::runtime_error("a block is whole warps here");
  block.kernel = &kernel;
  block.shared.resize(shared_bytes / sizeof(std::uint64_t) + 1);
  place.grid = grid;
  place.block_size = {threads, 1, 1};
  const unsigned count = grid.x * grid.y * grid.z;
  std::vector<unsigned> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), generator);
  for (const unsigned number : order) {
    // Shared memory holds whatever was there.
    std::fill(block.shared.begin(), block.shared.end(), 0xDEADBEEFDEADBEEFu);
    place.block = {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
    RunBlock(threads);
  }
}

void MeetBlock() {
  ++block.waiting;
  Yield(State::kInBlock);
}

unsigned Lane() { return block.running->index % kWarp; }

std::uint64_t TradeInWarp(std::uint64_t value, unsigned lane) {
  Fiber& fiber = *block.running;
  const unsigned warp = fiber.index / kWarp;
  const std::size_t half = fiber.meetings++ % 2 * block.waiting_in_warp.size() * kWarp;
  block.traded[half + fiber.index] = value;
  if (++block.waiting_in_warp[warp] == kWarp) {
    block.waiting_in_warp[warp] = 0;
    WakeAll(State::kInWarp, warp * kWarp, (warp + 1) * kWarp);
  } else {
    Yield(State::kInWarp);
  }
  return block.traded[half + warp * kWarp + lane];
}

void* SharedMemory() { return block.shared.data(); }

std::uint16_t HalfBits(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7E00;
  if (size >= 65520) return sign | 0x7C00;
  if (size == 0) return sign;
  int exponent = 0;
  std::frexp(size, &exponent);
  // Steps of 2^-24 below 2^-14, else of the value's own 11 bits; to nearest, ties to even.
  const int step = std::max(exponent - 11, -24);
  const double steps = std::nearbyint(std::ldexp(size, -step));
  const auto count = static_cast<unsigned>(steps);
  // The hidden bit of a normal number raises its exponent by one; a carry does the rest.
  return static_cast<std::uint16_t>(sign | ((static_cast<unsigned>(step + 24) << 10) + count));
}

double HalfValue(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int fraction = half & 1023;
  const double size =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (half & 0x8000) != 0 ? -size : size;
}

}  // namespace synoptic::test::emulation
