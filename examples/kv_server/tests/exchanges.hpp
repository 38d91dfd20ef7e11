// examples/kv_server/tests/exchanges.hpp — requests, and the bytes of their replies.
#pragma once

#include <gtest/gtest.h>

#include "client.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

namespace kv::testing {

/// A request as one types it, and the bytes of its reply, in which '|' stands for "\r\n".
struct exchange {
  std::string_view request;
  std::string_view reply;
};

inline std::string with_line_ends(std::string_view text) {
  std::string out;
  for (const char c : text) {
    c == '|' ? out.append("\r\n") : out.append(1, c);
  }
  return out;
}

inline void expect(client& of, std::initializer_list<exchange> exchanges) {
  for (const exchange& each : exchanges) {
    EXPECT_EQ(of.ask(std::string{each.request} + "\r\n"), with_line_ends(each.reply))
        << each.request;
  }
}
inline void expect(std::initializer_list<exchange> exchanges) {
  client fresh;
  expect(fresh, exchanges);
}

}  // namespace kv::testing
