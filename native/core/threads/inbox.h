// What threads leave for each other without waiting. The thread that serves clients must not wait
// for a mutex that computing threads hold: their priority is low, and one that is taken off its
// processor in the middle holds it for milliseconds.

#ifndef SYNOPTIC_THREADS_INBOX_H_
#define SYNOPTIC_THREADS_INBOX_H_

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace synoptic {

// Any thread may call any of these.
template <class T>
class Inbox {
 public:
  Inbox() = default;
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;
  ~Inbox() { TakeAll(); }

  void Put(T value) {
    Node* node = new Node{std::move(value), last_.load(std::memory_order_relaxed)};
    while (!last_.compare_exchange_weak(node->before, node)) {
    }
  }

  bool IsEmpty() const { return last_.load() == nullptr; }

  // All that was put and not yet taken, in the order in which it came.
  std::vector<T> TakeAll() {
    std::vector<T> taken;
    if (IsEmpty()) return taken;
    for (Node* node = last_.exchange(nullptr); node != nullptr;) {
      const std::unique_ptr<Node> owned(node);
      taken.push_back(std::move(node->value));
      node = node->before;
    }
    std::reverse(taken.begin(), taken.end());
    return taken;
  }

 private:
  struct Node {
    T value;
    Node* before;
  };
  std::atomic<Node*> last_{nullptr};
};

}  // namespace synoptic

#endif  // SYNOPTIC_THREADS_INBOX_H_
