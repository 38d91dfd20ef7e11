// examples/kv_server/conversation.hpp — bytes in, bytes out, and when the lock is needed.
#pragma once

#include "commands.hpp"
#include "reply.hpp"
#include "resp.hpp"
#include "store.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kv {

struct limits {
  request_limits request = {};
  std::size_t most_reply = std::size_t{64} << 20;  ///< bytes, of one command
};

enum class step {
  read,     ///< put bytes into `room`, and call `received`
  execute,  ///< call `execute` inside the lock, then `finish` outside
  write,    ///< send some of `unwritten`, and call `written`
  end,      ///< the connection is over
};

/// Says what to do next, and does all of it but the waiting.  So a connection holds one
/// unfinished request, and replies only up to a bound and that of one command more,
/// whatever the client sends and however little it reads.
class conversation {
 public:
  conversation(std::uint64_t number, const limits& wanted);
  conversation(const conversation&) = delete;  // out_ refers to output_.
  conversation& operator=(const conversation&) = delete;

  [[nodiscard]] step next();
  /// Executes nothing more: only the replies that there are remain to be written.
  void end() noexcept { client_.is_over = true; }

  [[nodiscard]] std::span<char> room() { return requests_.room(); }
  void received(std::size_t count) noexcept { requests_.received(count); }

  void execute(store& data);
  void finish();

  [[nodiscard]] std::string_view unwritten() const noexcept {
    return std::string_view{output_}.substr(written_);
  }
  void written(std::size_t count);

 private:
  /// Replies are gathered up to this size, then written before anything else is executed.
  static constexpr std::size_t most_gathered = std::size_t{64} << 10;
  /// A buffer that one reply made larger than this is not kept.
  static constexpr std::size_t most_kept = 2 * most_gathered;

  /// Whether it waits for the lock now.
  bool begin_command();

  request_parser requests_;
  std::string output_;
  reply out_;
  std::size_t written_ = 0;
  connection client_;
  const command* which_ = nullptr;
  bool is_writing_ = false;
};

}  // namespace kv
