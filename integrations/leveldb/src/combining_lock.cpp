// hotseat/rebound/combining_lock.cpp — leaving a stack, and running what was left there.
#include <hotseat/platform/seam.hpp>
#include <hotseat/rebound/combining_lock.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <cstdint>
#include <memory>

namespace hotseat::rebound {

namespace fcontext = boost::context::detail;

/// What belongs to one system thread.
struct section_thread {
  static constexpr std::size_t wait_stack_bytes = std::size_t{16} * 1024;

  shipped_section* running = nullptr;  ///< Another thread's section that runs here.
  std::uint32_t locks_held = 0;        ///< By what runs here now.
  shipped_section own;                 ///< C2
  std::unique_ptr<std::byte[]> wait_stack = std::make_unique<std::byte[]>(wait_stack_bytes);

  // The address must be asked for after each switch; compilers that see how it is made keep
  // it.
  [[gnu::noinline]] static section_thread& current() noexcept {
    thread_local section_thread here;
    section_thread* address = &here;
    asm volatile("" : "+r"(address)::"memory");
    return *address;
  }

  /// Returns when another thread has run our section or made us the owner.
  static void sleep(shipped_section& self) noexcept {
    for (unsigned turns = 0; turns < 64; ++turns) {
      if (self.state.load(std::memory_order_acquire) > shipped_section::asleep)
        return;  // W
      platform::relax();
    }
    std::uint32_t seen = shipped_section::in_line;
    if (!self.state.compare_exchange_strong(seen, shipped_section::asleep,
                                            std::memory_order_acquire)) {
      return;  // W
    }
    while (self.state.load(std::memory_order_acquire) == shipped_section::asleep) {  // W
      platform::futex_wait(self.state, shipped_section::asleep, nullptr);
    }
  }

  /// Ends the wait of `whom`, which may be gone afterwards.
  static void wake(shipped_section& whom, std::uint32_t state) noexcept {
    if (whom.state.exchange(state, std::memory_order_acq_rel) ==
        shipped_section::asleep) {  // G
      platform::futex_wake(whom.state);
    }
  }

  /// Runs on the small stack, while another thread may be on ours.
  static void wait_on_small_stack(fcontext::transfer_t from) noexcept {
    auto& self = *static_cast<shipped_section*>(from.data);
    self.here = from.fctx;
    if (self.lock->acquire_or_enqueue(self)) {  // C1
      self.state.store(shipped_section::owner, std::memory_order_relaxed);
    } else {
      sleep(self);
    }
    fcontext::jump_fcontext(self.here, nullptr);
  }

  /// Returns on this thread as the owner, or on another one that runs our section; the
  /// section must not care which.
  static void ship(combining_lock& lock) noexcept {
    section_thread& here = current();
    shipped_section& self = here.own;
    self.lock = &lock;
    self.next = nullptr;
    self.state.store(shipped_section::in_line, std::memory_order_relaxed);
    const fcontext::fcontext_t waiting = fcontext::make_fcontext(
        here.wait_stack.get() + wait_stack_bytes, wait_stack_bytes, &wait_on_small_stack);
    const fcontext::transfer_t back = fcontext::jump_fcontext(waiting, &self);
    if (back.data != nullptr) {
      self.combiner = back.fctx;
    } else {
      ++current().locks_held;
    }
  }
};

void combining_lock::lock() noexcept {
  section_thread& here = section_thread::current();
  if (try_acquire()) {
    ++here.locks_held;
  } else if (here.locks_held == 0 && here.running == nullptr) {
    section_thread::ship(*this);
  } else {
    shipped_section self;
    if (!acquire_or_enqueue(self)) section_thread::sleep(self);
    ++here.locks_held;
  }
}

void combining_lock::unlock() noexcept {
  section_thread& here = section_thread::current();
  --here.locks_held;
  if (here.running == nullptr) {
    if (here.locks_held == 0) return combine();
  } else if (here.running->lock == this) {
    shipped_section& self = *here.running;
    self.locks_held = here.locks_held;
    fcontext::jump_fcontext(self.combiner, nullptr);
    // Back on our own thread.
    section_thread::current().locks_held = self.locks_held;
    return;
  }
  if (shipped_section* const heir = release()) {
    section_thread::wake(*heir, shipped_section::owner);
  }
}

/// Runs the line's sections here, until it is empty or this has taken long enough.
void combining_lock::combine() noexcept {
  section_thread& here = section_thread::current();  // We are not shipped meanwhile.
  shipped_section* heir = release();
  for (unsigned turns = 0; heir != nullptr && heir->here != nullptr; ++turns) {
    if (turns == most_in_a_row) break;
    here.running = heir;
    here.locks_held = 1;
    heir->here = fcontext::jump_fcontext(heir->here, this).fctx;
    here.running = nullptr;
    here.locks_held = 0;
    shipped_section* const finished = heir;
    heir = release();  // First, since the finished thread may lock again.
    section_thread::wake(*finished, shipped_section::done);
  }
  if (heir != nullptr) section_thread::wake(*heir, shipped_section::owner);
}

bool combining_lock::try_acquire() noexcept {
  guard_.lock();
  const bool is_owner = !is_owned_;
  is_owned_ = true;
  guard_.unlock();
  return is_owner;
}

bool combining_lock::acquire_or_enqueue(shipped_section& self) noexcept {
  guard_.lock();
  const bool is_owner = !is_owned_;
  is_owned_ = true;
  if (!is_owner) {
    (first_ == nullptr ? first_ : last_->next) = &self;
    last_ = &self;
  }
  guard_.unlock();
  return is_owner;
}

shipped_section* combining_lock::release() noexcept {
  guard_.lock();
  shipped_section* const heir = first_;
  if (heir == nullptr) {
    is_owned_ = false;
  } else {
    first_ = heir->next;
  }
  guard_.unlock();
  return heir;
}

}  // namespace hotseat::rebound
