// examples/kv_server/tests/commands_strings_test.cpp — strings and keys: exact replies.
// The expected bytes are those of Redis 7.0.
#include <gtest/gtest.h>

#include <string>

#include "exchanges.hpp"

namespace kv::testing {
namespace {

constexpr std::string_view wrong_type =
    "-WRONGTYPE Operation against a key holding the wrong kind of value|";
constexpr std::string_view not_an_integer = "-ERR value is not an integer or out of range|";

TEST(Commands, set_and_get) {
  expect({{"GET a", "$-1|"},
          {"SET a b", "+OK|"},
          {"GET a", "$1|b|"},
          {"set a ''", "+OK|"},
          {"gEt a", "$0||"},
          {"STRLEN a", ":0|"},
          {"STRLEN none", ":0|"},
          {"SET a \"x\\r\\n\"", "+OK|"},
          {"STRLEN a", ":3|"}});
}

TEST(Commands, set_with_conditions) {
  expect({{"SET a 1 XX", "$-1|"},
          {"SET a 1 NX", "+OK|"},
          {"SET a 2 nx", "$-1|"},
          {"SET a 2 xx", "+OK|"},
          {"SET a 3 GET", "$1|2|"},
          {"SET b 1 GET", "$-1|"},
          {"SET a 4 NX GET", "$1|3|"},
          {"GET a", "$1|3|"},
          {"SET a 4 NX XX", "-ERR syntax error|"},
          {"SET a 4 EX", "-ERR syntax error|"},
          {"SET a 4 EX 1 PX 1", "-ERR syntax error|"},
          {"SET a 4 EX 1 KEEPTTL", "-ERR syntax error|"},
          {"SET a 4 KEEPTTL EX 1", "-ERR syntax error|"},
          {"SET a 4 EX x", not_an_integer},
          {"SET a 4 EX 0", "-ERR invalid expire time in 'set' command|"},
          {"SET a 4 PX -1", "-ERR invalid expire time in 'set' command|"},
          {"SET a 4 EX 9223372036854775807", "-ERR invalid expire time in 'set' command|"},
          {"GET a", "$1|3|"},
          {"RPUSH l 1", ":1|"},
          {"SET l 1 GET", wrong_type},
          {"SET l 1", "+OK|"}});
}

TEST(Commands, other_ways_to_set) {
  expect({{"SETNX a 1", ":1|"},
          {"SETNX a 2", ":0|"},
          {"GETSET a 3", "$1|1|"},
          {"GETSET b 1", "$-1|"},
          {"GETDEL a", "$1|3|"},
          {"GETDEL a", "$-1|"},
          {"SETEX a 10 1", "+OK|"},
          {"TTL a", ":10|"},
          {"PSETEX a 10 1", "+OK|"},
          {"PTTL a", ":10|"},
          {"SETEX a 0 1", "-ERR invalid expire time in 'setex' command|"},
          {"SETEX a x 1", not_an_integer},
          {"MSET a 1 b 2 c", "-ERR wrong number of arguments for 'mset' command|"},
          {"MSET a 1 b 2", "+OK|"},
          {"LPUSH l 1", ":1|"},
          {"MGET a b c l", "*4|$1|1|$1|2|$-1|$-1|"}});
}

TEST(Commands, counting) {
  expect({{"INCR a", ":1|"},
          {"INCRBY a 10", ":11|"},
          {"DECR a", ":10|"},
          {"DECRBY a 15", ":-5|"},
          {"GET a", "$2|-5|"},
          {"INCRBY a x", not_an_integer},
          {"DECRBY a 1.5", not_an_integer},
          {"SET a 9223372036854775807", "+OK|"},
          {"INCR a", "-ERR increment or decrement would overflow|"},
          {"DECRBY a -9223372036854775808", "-ERR decrement would overflow|"},
          {"SET a -9223372036854775808", "+OK|"},
          {"DECR a", "-ERR increment or decrement would overflow|"},
          {"SET a 9223372036854775808", "+OK|"},
          {"INCR a", not_an_integer}});
  for (const std::string text : {"x", "''", "' 1'", "01", "+1", "1.0", "-0"}) {
    client one;
    one.ask("SET a " + text + "\r\n");
    expect(one, {{"INCR a", not_an_integer}});
  }
}

TEST(Commands, append) {
  expect({{"APPEND a b", ":1|"}, {"APPEND a cd", ":3|"}, {"GET a", "$3|bcd|"}});
  limits small;
  small.request.most_value = 4;
  client one{small};
  expect(one, {{"APPEND a bcd", ":3|"},
               {"APPEND a ef",
                "-ERR string exceeds maximum allowed size "
                "(proto-max-bulk-len)|"},
               {"APPEND a e", ":4|"}});
}

TEST(Commands, keys) {
  expect({{"MSET a 1 b 2", "+OK|"},   {"EXISTS a a b c", ":3|"},
          {"DBSIZE", ":2|"},          {"KEYS a*", "*1|$1|a|"},
          {"KEYS x", "*0|"},          {"DEL a c", ":1|"},
          {"DBSIZE", ":1|"},          {"LPUSH l 1", ":1|"},
          {"HSET h a 1", ":1|"},      {"SADD s 1", ":1|"},
          {"ZADD z 1 a", ":1|"},      {"TYPE a", "+none|"},
          {"TYPE b", "+string|"},     {"TYPE l", "+list|"},
          {"TYPE h", "+hash|"},       {"TYPE s", "+set|"},
          {"TYPE z", "+zset|"},       {"FLUSHALL x", "-ERR syntax error|"},
          {"FLUSHALL ASYNC", "+OK|"}, {"DBSIZE", ":0|"},
          {"FLUSHDB", "+OK|"}});
}

TEST(Commands, expiry_is_set_read_and_taken_away) {
  expect({{"TTL a", ":-2|"},
          {"SET a 1", "+OK|"},
          {"TTL a", ":-1|"},
          {"EXPIRE a 10", ":1|"},
          {"TTL a", ":10|"},
          {"PEXPIRE a 1499", ":1|"},
          {"TTL a", ":1|"},
          {"PTTL a", ":1499|"},
          {"INCR a", ":2|"},
          {"APPEND a 0", ":2|"},
          {"PTTL a", ":1499|"},
          {"SET a 1 KEEPTTL", "+OK|"},
          {"PTTL a", ":1499|"},
          {"PERSIST a", ":1|"},
          {"PERSIST a", ":0|"},
          {"SET a 1 PX 5", "+OK|"},
          {"SET a 1", "+OK|"},
          {"PTTL a", ":-1|"},
          {"EXPIRE a 10 NX", "-ERR Unsupported option NX|"},
          {"EXPIRE a x", not_an_integer},
          {"EXPIRE a 9223372036854775807", "-ERR invalid expire time in 'expire' command|"},
          {"EXPIRE none 10", ":0|"},
          {"EXPIRE a -1", ":1|"},
          {"EXISTS a", ":0|"}});
}

TEST(Commands, an_expired_key_is_gone) {
  client one;
  expect(one, {{"SET a 1 PX 100", "+OK|"}, {"SET b 1 EX 1", "+OK|"}, {"SET c 1", "+OK|"}});
  present += 99;
  expect(one, {{"GET a", "$1|1|"}, {"PTTL a", ":1|"}});
  present += 1;
  expect(one, {{"GET a", "$-1|"},
               {"TTL a", ":-2|"},
               {"SETNX a 2", ":1|"},
               {"PTTL a", ":-1|"},
               {"KEYS [bc]b*", "*0|"}});
  present += 900;
  expect(one, {{"LPUSH b 1", ":1|"}, {"TTL b", ":-1|"}, {"DBSIZE", ":3|"}});
}

TEST(Commands, expired_keys_that_nobody_reads_are_erased_a_few_at_a_time) {
  client one;
  for (int i = 0; i < 100; ++i) {
    one.ask("SET k" + std::to_string(i) + " 1 PX 10\r\n");
  }
  present += 10;
  expect(one, {{"GET none", "$-1|"}});
  EXPECT_LT(one.data.size(), 100U);
  EXPECT_GT(one.data.size(), 50U);
  for (int i = 0; i < 10; ++i) one.ask("GET none\r\n");
  EXPECT_EQ(one.data.size(), 0U);
}

TEST(Commands, a_large_value_that_is_replaced_gives_its_memory_back) {
  client one;
  one.ask("SET a " + std::string(50'000, 'x') + "\r\n");
  one.ask("SET a b\r\n");
  EXPECT_LT(one.data.find_as<std::string>("a").value->capacity(), 100U);
}

}  // namespace
}  // namespace kv::testing
