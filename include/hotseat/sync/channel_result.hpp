// hotseat/sync/channel_result.hpp — how a send or receive with limits ended.
// Layer: sync.  Read next: sync/channel.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace hotseat {

enum class channel_status : std::uint8_t {
  success,  ///< The value was transferred.
  closed,   ///< The channel is closed, and for a receiver also drained.
  left,     ///< Timeout or stop; nothing was transferred.
};

/// Whether a value was sent, and if not, why.
///
///     const auto sent = co_await jobs.send_for(job, 10ms);
///     if (!sent && !sent.is_closed()) retry_later(job);
///
/// Each result converts like that of the form without limits.  send() yields a bool, so
/// this converts to bool implicitly, as in `const bool ok = co_await c.send_for(...)`, but
/// not to a number.  receive() yields a std::optional, so a receive_result converts to bool
/// in conditions only; a received int must not be mistaken for one.
class [[nodiscard("the value may not have been sent")]] send_result {
 public:
  explicit send_result(channel_status status) noexcept : status_{status} {}

  template <std::same_as<bool> Bool>
  // NOLINTNEXTLINE(google-explicit-constructor): reads like the bool that send() gives.
  operator Bool() const noexcept {
    return status_ == channel_status::success;
  }
  [[nodiscard]] channel_status status() const noexcept { return status_; }
  [[nodiscard]] bool is_closed() const noexcept {
    return status_ == channel_status::closed;
  }

 private:
  channel_status status_;
};

/// The value received, or why there is none.  Reads like a std::optional.  Empty does not
/// mean closed, so a loop must check:
///
///     for (;;) {
///       auto job = co_await jobs.receive_for(10ms);
///       if (job) {
///         run(*job);
///       } else if (job.is_closed()) {
///         break;
///       } else {
///         flush();  // No job for 10 ms.
///       }
///     }
template <class T>
class [[nodiscard("it may hold a value")]] receive_result {
 public:
  /// REQUIRES: value.has_value() == (status == channel_status::success).
  receive_result(std::optional<T>&& value, channel_status status) noexcept
      : value_{std::move(value)}, status_{status} {}

  explicit operator bool() const noexcept { return value_.has_value(); }
  [[nodiscard]] bool has_value() const noexcept { return value_.has_value(); }
  [[nodiscard]] channel_status status() const noexcept { return status_; }
  [[nodiscard]] bool is_closed() const noexcept {
    return status_ == channel_status::closed;
  }

  /// REQUIRES: has_value().
  [[nodiscard]] T& operator*() & noexcept { return *value_; }
  [[nodiscard]] const T& operator*() const& noexcept { return *value_; }
  [[nodiscard]] T&& operator*() && noexcept { return *std::move(value_); }
  [[nodiscard]] T* operator->() noexcept { return &*value_; }
  [[nodiscard]] const T* operator->() const noexcept { return &*value_; }

  /// What receive() would have returned.
  [[nodiscard]] std::optional<T> take() && noexcept { return std::move(value_); }

 private:
  std::optional<T> value_;
  channel_status status_;
};

/// How many values were received, and if none, why.
///
///     for (;;) {
///       const auto some = co_await jobs.receive_many_for(batch, 32, 10ms);
///       if (some.is_closed()) break;
///       if (some) run(batch);
///       batch.clear();
///     }
class [[nodiscard("it may have received nothing")]] receive_many_result {
 public:
  /// REQUIRES: (count != 0) == (status == channel_status::success).
  receive_many_result(std::size_t count, channel_status status) noexcept
      : count_{count}, status_{status} {}

  explicit operator bool() const noexcept { return count_ != 0; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] channel_status status() const noexcept { return status_; }
  [[nodiscard]] bool is_closed() const noexcept {
    return status_ == channel_status::closed;
  }

 private:
  std::size_t count_;
  channel_status status_;
};

}  // namespace hotseat
