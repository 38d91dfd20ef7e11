// examples/kv_server/tests/client.hpp — a conversation without sockets.
#pragma once

#include "conversation.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace kv::testing {

/// What the stores of the tests take for the time.
inline milliseconds present = 1'000'000;
inline milliseconds clock() noexcept { return present; }

/// Has a store of its own.  Sends and reads at most so many bytes at a time.
class client {
 public:
  explicit client(const limits& wanted = {},
                  std::size_t piece = std::numeric_limits<std::size_t>::max())
      : data{&clock}, talk{1, wanted}, piece_{piece} {
    data.set_most_value(wanted.request.most_value);
  }

  /// All replies until the server waits for more, or has ended.
  std::string ask(std::string_view request) {
    std::string replies;
    for (;;) {
      switch (talk.next()) {
        case step::read:
          if (request.empty()) return replies;
          request.remove_prefix(send(request));
          break;
        case step::execute:
          talk.execute(data);
          talk.finish();
          break;
        case step::write: {
          const std::string_view some = talk.unwritten().substr(0, piece_);
          most_unwritten = std::max(most_unwritten, talk.unwritten().size());
          replies.append(some);
          talk.written(some.size());
          break;
        }
        case step::end:
          is_over = true;
          return replies;
      }
    }
  }

  store data;
  conversation talk;
  std::size_t most_unwritten = 0;
  bool is_over = false;

 private:
  std::size_t send(std::string_view request) {
    const std::span<char> room = talk.room();
    const std::size_t count = std::min({room.size(), request.size(), piece_});
    std::copy_n(request.begin(), count, room.begin());
    talk.received(count);
    return count;
  }

  std::size_t piece_;
};

}  // namespace kv::testing
