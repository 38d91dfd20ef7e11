// examples/kv_server/resp.hpp — reads the requests of RESP2, the protocol of Redis.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

/// What a client may make the server hold.  Numbers of bytes, but for most_arguments.
struct request_limits {
  std::size_t most_value = std::size_t{8} << 20;     ///< of one argument
  std::size_t most_request = std::size_t{64} << 20;  ///< of a command, with its headers
  std::size_t most_line = std::size_t{64} << 10;     ///< of an inline command or a header
  std::size_t most_arguments = std::size_t{1} << 20;
  std::size_t usual_buffer = std::size_t{16} << 10;  ///< while no request is larger
};

enum class parsed {
  command,     ///< `arguments` has one, with at least its name
  needs_more,  ///< the rest has not arrived
  error,       ///< the client does not speak RESP: `error` says why, and nothing follows
};

/// Finds commands in the bytes of a connection, however these are cut into pieces.
///
///     const std::span<char> room = requests.room();
///     requests.received(read(socket, room));
///     while (requests.next() == parsed::command) execute(requests.arguments());
///
/// A command is an array of bulk strings or, if it does not begin with '*', a line of
/// words. Bytes are looked at once, and an argument that arrives in pieces is moved a
/// constant number of times per byte.  Nothing is allocated once the buffer fits the
/// requests.
class request_parser {
 public:
  explicit request_parser(const request_limits& limits = {});

  /// Where to put the bytes that arrive next; never empty.  Ends the arguments' life.
  /// REQUIRES: `next` has said that it needs more.
  [[nodiscard]] std::span<char> room();
  void received(std::size_t count) noexcept { end_ += count; }

  /// Looks for the next command.  Ends the life of the arguments of the last one.
  [[nodiscard]] parsed next();
  [[nodiscard]] std::span<const std::string_view> arguments() const noexcept {
    return arguments_;
  }
  /// As Redis words it, with its code: "ERR Protocol error: ...".
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

  /// How many bytes are allocated.
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

 private:
  // In usual buffers: a larger one that is nearly empty is kept up to this size.
  static constexpr std::size_t most_kept = 4;

  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);

  void begin_command() noexcept;
  [[nodiscard]] parsed next_array();
  [[nodiscard]] parsed next_inline();
  [[nodiscard]] parsed read_count();
  [[nodiscard]] parsed read_size();
  [[nodiscard]] parsed read_argument();
  [[nodiscard]] parsed split_words(char* first, char* last);
  [[nodiscard]] parsed take_line(std::string_view& line, std::string_view if_too_long);
  [[nodiscard]] parsed fail(std::string_view why);
  void make_room(std::size_t held);
  void move_to(std::unique_ptr<char[]> other, std::size_t capacity);

  const request_limits limits_;
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_;

  //   begin_ ≤ position_ ≤ scanned_ ≤ end_
  std::size_t begin_ = 0;     ///< of the command that is being read
  std::size_t position_ = 0;  ///< before it, all is understood
  std::size_t scanned_ = 0;   ///< from position_ to here there is no end of line
  std::size_t end_ = 0;

  std::size_t arguments_left_ = 0;
  std::size_t argument_size_ = unknown;  ///< unknown: its header has not been read
  bool is_complete_ = false;
  std::vector<std::string_view> arguments_;  ///< into bytes_
  std::string error_;
};

}  // namespace kv
