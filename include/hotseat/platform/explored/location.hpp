// hotseat/platform/explored/location.hpp — one atomic word, and the stores a load may see.
// Layer: platform.  Read next: vector_clock.hpp.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>

namespace hotseat::platform::explored {

/// The memory model.  Stores to one word are ordered as they are executed.  A load sees the
/// newest store, or an older one, as long as nothing forbids that:
///
///     it must not be older than      because
///     ─────────────────────────────  ──────────────────────────────────────────────────
///     a store that happened before   coherence
///     what this thread has seen      coherence
///     a store before a fence of all  heavy_fence, seq_cst, or having waited for others
///
/// Read-modify-writes see the newest.  An acquire load of a release store, or of a
/// read-modify-write in its release sequence, makes what came before the store happen
/// before the load.  What is not modelled: loads that see stores of the future (load
/// buffering), and stand-alone fences, which the library has none of.
class location {
 public:
  constexpr explicit location(std::uint64_t value) noexcept : value_{value} {
    if (!std::is_constant_evaluated() && running != nullptr) on_birth();
  }
  location(const location&) = delete;
  location& operator=(const location&) = delete;
  constexpr ~location() {
    // Volatile: a compiler drops what is written to memory that is freed next.
    if (!std::is_constant_evaluated()) const_cast<volatile std::uint32_t&>(life_) = dead;
  }

  std::uint64_t load(std::memory_order order, const place& where) const noexcept;
  void store(std::uint64_t value, std::memory_order order, const place& where) noexcept;

  /// Replaces the value by `change(value)`.  Returns the former one.
  template <class Change>
  std::uint64_t update(Change change, std::memory_order order,
                       const place& where) noexcept {
    if (running == nullptr) {
      const std::uint64_t former = value_;
      value_ = change(former);
      return former;
    }
    begin();
    const std::uint64_t former = value_;
    write(change(former), order, where, verb::update);
    return former;
  }

  bool compare_exchange(std::uint64_t& expected, std::uint64_t wanted, bool may_fail,
                        std::memory_order success, std::memory_order failure,
                        const place& where) noexcept;

  /// What the newest store left, for whoever is not bound by the model, as the kernel.
  [[nodiscard]] std::uint64_t newest_value() const noexcept { return value_; }

 private:
  struct store_record;

  static constexpr std::uint32_t alive = 0x48'6f'74'53;
  static constexpr std::uint32_t dead = 0;

  void on_birth() noexcept;
  void begin() const noexcept;
  void write(std::uint64_t value, std::memory_order order, const place& where,
             verb what) noexcept;
  static void acquire(const store_record& from) noexcept;

  std::uint64_t value_;  // The newest.
  std::uint32_t life_ = alive;
  mutable std::uint32_t execution_ = 0;
  std::uint32_t creator_ = 0;
  moment created_ = 0;                      // 0: not in this execution
  mutable std::uint64_t first_value_ = 0;   // when the execution began, or it was made
  mutable store_record* newest_ = nullptr;  // Null: no store since the execution began.
  mutable std::array<moment, most_threads>
      seen_{};  // By each thread: a place in the order.
};

}  // namespace hotseat::platform::explored
