// hotseat/asio/detail/open_connections.hpp — the sockets that are open, to shut them down.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <mutex>

namespace hotseat::asio::detail {

/// Descriptors in a list.  Adding and removing one takes a lock for a few instructions.
class open_connections {
 public:
  class entry {
   public:
    entry(open_connections& all, int descriptor) : all_{all}, descriptor_{descriptor} {
      const std::lock_guard guard{all_.lock_};
      next_ = all_.first_;
      if (next_ != nullptr) next_->previous_ = this;
      all_.first_ = this;
    }
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;
    /// Before the descriptor is closed.
    ~entry() {
      const std::lock_guard guard{all_.lock_};
      if (next_ != nullptr) next_->previous_ = previous_;
      (previous_ != nullptr ? previous_->next_ : all_.first_) = next_;
    }

   private:
    friend open_connections;
    open_connections& all_;
    int descriptor_;
    entry* next_ = nullptr;
    entry* previous_ = nullptr;
  };

  /// Both directions: reads end, writes fail.  Returns how many there were.
  std::size_t shut_down_all() noexcept {
    const std::lock_guard guard{lock_};
    std::size_t count = 0;
    for (const entry* each = first_; each != nullptr; each = each->next_, ++count) {
      ::shutdown(each->descriptor_, SHUT_RDWR);
    }
    return count;
  }

 private:
  std::mutex lock_;
  entry* first_ = nullptr;  // under lock_
};

}  // namespace hotseat::asio::detail
