// hotseat/platform/simulated/ready_heap.hpp — virtual threads, the furthest behind first.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../virtual/stack_switch.hpp"

namespace hotseat::platform::simulated {

struct virtual_thread {
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  thread_id id = 0;
  unsigned core = 0;
  duration clock = 0;           // its time, or the deadline that it sleeps until
  duration stores_end = 0;      // when others can see all its stores
  std::size_t place = nowhere;  // in the heap
  bool is_asleep = false;
  bool is_finished = false;
  bool is_worker = false;
  activity doing = activity::scheduling;
  duration since = 0;
  std::array<duration, activities> time{};
  const void* bed = nullptr;
  parked_stack stack;
  std::uintptr_t stack_floor = 0;
  std::function<void()> body;
  void (*last_words)() noexcept = nullptr;
  std::array<void*, 16> locals{};
  std::vector<std::unique_ptr<std::byte[]>> memory_of_locals;
  std::string name;

  void count_time() noexcept {
    if (clock > since) time[static_cast<std::size_t>(doing)] += clock - since;
    since = clock;
  }
};

/// A binary heap whose members know their place.  Equal clocks are ordered by id, so that
/// runs are repeatable.
class ready_heap {
 public:
  [[nodiscard]] bool is_empty() const noexcept { return all_.empty(); }
  /// The clock of the first; the end of time if there is none.
  [[nodiscard]] duration earliest() const noexcept {
    return all_.empty() ? std::numeric_limits<duration>::max() / 2 : all_.front()->clock;
  }

  void push(virtual_thread& thread) {
    thread.place = all_.size();
    all_.push_back(&thread);
    rise(thread.place);
  }

  virtual_thread& pop() noexcept {
    virtual_thread& first = *all_.front();
    remove(first);
    return first;
  }

  /// Does nothing if it is not here.
  void remove(virtual_thread& thread) noexcept {
    const std::size_t place = std::exchange(thread.place, virtual_thread::nowhere);
    if (place == virtual_thread::nowhere) return;
    virtual_thread* const last = all_.back();
    all_.pop_back();
    if (last == &thread) return;
    put(place, *last);
    rise(place);
    sink(last->place);
  }

 private:
  static bool is_before(const virtual_thread& a, const virtual_thread& b) noexcept {
    return a.clock != b.clock ? a.clock < b.clock : a.id < b.id;
  }
  void put(std::size_t place, virtual_thread& thread) noexcept {
    all_[place] = &thread;
    thread.place = place;
  }
  void rise(std::size_t place) noexcept {
    virtual_thread& thread = *all_[place];
    while (place > 0 && is_before(thread, *all_[(place - 1) / 2])) {
      put(place, *all_[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    put(place, thread);
  }
  void sink(std::size_t place) noexcept {
    virtual_thread& thread = *all_[place];
    for (;;) {
      std::size_t child = 2 * place + 1;
      if (child >= all_.size()) break;
      if (child + 1 < all_.size() && is_before(*all_[child + 1], *all_[child])) ++child;
      if (!is_before(*all_[child], thread)) break;
      put(place, *all_[child]);
      place = child;
    }
    put(place, thread);
  }

  std::vector<virtual_thread*> all_;
};

}  // namespace hotseat::platform::simulated
