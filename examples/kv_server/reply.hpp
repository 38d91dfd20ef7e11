// examples/kv_server/reply.hpp — writes the replies of RESP2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace kv {

/// A reply that would be larger than a client may ask for.
class reply_too_large : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "reply is too large"; }
};

/// Appends replies to a buffer.  Whatever appends may throw: std::bad_alloc, or
/// reply_too_large.
class reply {
 public:
  explicit reply(std::string& into, std::size_t most = std::size_t{64} << 20) noexcept
      : into_{into}, most_{most}, begin_{into.size()} {}

  /// What is appended from here on belongs to the next command.
  void begin() noexcept { begin_ = into_.size(); }
  /// Forgets what the command has replied so far.
  void undo() noexcept { into_.resize(begin_); }

  void simple(std::string_view text) { line('+', text); }
  void ok() { simple("OK"); }
  /// With its code: "ERR syntax error".  Line ends in it become blanks.
  void error(std::string_view text);
  void wrong_type();
  void wrong_arity(std::string_view command);
  void syntax_error() { error("ERR syntax error"); }
  void not_an_integer() { error("ERR value is not an integer or out of range"); }

  void integer(std::int64_t value);
  void size(std::size_t value) { integer(static_cast<std::int64_t>(value)); }
  void yes_or_no(bool value) { append(value ? ":1\r\n" : ":0\r\n"); }
  void bulk(std::string_view value);
  void score(double value);
  void null() { append("$-1\r\n"); }
  void null_array() { append("*-1\r\n"); }
  /// So many replies follow, and are one together.
  void array(std::size_t count);

 private:
  void line(char kind, std::string_view text);
  void header(char kind, std::int64_t value);
  void append(std::string_view text);

  std::string& into_;
  const std::size_t most_;
  std::size_t begin_;
};

}  // namespace kv
