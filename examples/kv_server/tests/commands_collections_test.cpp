// examples/kv_server/tests/commands_collections_test.cpp — lists, hashes, sets.
// The expected bytes are those of Redis 7.0.
#include <gtest/gtest.h>

#include <string>

#include "exchanges.hpp"

namespace kv::testing {
namespace {

constexpr std::string_view wrong_kind =
    "-WRONGTYPE Operation against a key holding the wrong kind of value|";
constexpr std::string_view not_a_count = "-ERR value is out of range, must be positive|";

TEST(Commands, lists) {
  expect({{"LPUSH l a b", ":2|"},
          {"RPUSH l c", ":3|"},
          {"LLEN l", ":3|"},
          {"LRANGE l 0 -1", "*3|$1|b|$1|a|$1|c|"},
          {"LRANGE l -2 100", "*2|$1|a|$1|c|"},
          {"LRANGE l 2 1", "*0|"},
          {"LRANGE l -100 -4", "*0|"},
          {"LRANGE none 0 -1", "*0|"},
          {"LRANGE l 0 x", "-ERR value is not an integer or out of range|"},
          {"LPOP l", "$1|b|"},
          {"RPOP l", "$1|c|"},
          {"RPUSH l d e", ":3|"},
          {"LPOP l 2", "*2|$1|a|$1|d|"},
          {"LPOP l 0", "*0|"},
          {"LPOP l -1", not_a_count},
          {"RPOP l 9", "*1|$1|e|"},
          {"EXISTS l", ":0|"},
          {"LPOP l", "$-1|"},
          {"LPOP l 1", "*-1|"},
          {"LLEN l", ":0|"},
          {"LPOP l 1 2", "-ERR wrong number of arguments for 'lpop' command|"},
          {"RPUSH r a b c", ":3|"},
          {"RPOP r 2", "*2|$1|c|$1|b|"}});
}

TEST(Commands, hashes) {
  expect({{"HSET h a 1 b 2", ":2|"},
          {"HSET h a 3 c 4", ":1|"},
          {"HSET h a", "-ERR wrong number of arguments for 'hset' command|"},
          {"HSET h a 1 b", "-ERR wrong number of arguments for 'hset' command|"},
          {"HGET h a", "$1|3|"},
          {"HGET h x", "$-1|"},
          {"HGET none x", "$-1|"},
          {"HEXISTS h a", ":1|"},
          {"HEXISTS h x", ":0|"},
          {"HLEN h", ":3|"},
          {"HDEL h a x b", ":2|"},
          {"HGETALL h", "*2|$1|c|$1|4|"},
          {"HDEL h c", ":1|"},
          {"EXISTS h", ":0|"},
          {"HGETALL h", "*0|"},
          {"HDEL h c", ":0|"},
          {"HLEN h", ":0|"}});
}

TEST(Commands, sets) {
  expect({{"SADD s a b a", ":2|"},    {"SADD s b", ":0|"},
          {"SCARD s", ":2|"},         {"SISMEMBER s a", ":1|"},
          {"SISMEMBER s x", ":0|"},   {"SISMEMBER none x", ":0|"},
          {"SREM s a x", ":1|"},      {"SMEMBERS s", "*1|$1|b|"},
          {"SPOP s", "$1|b|"},        {"EXISTS s", ":0|"},
          {"SPOP s", "$-1|"},         {"SPOP s 2", "*0|"},
          {"SADD s a", ":1|"},        {"SPOP s 0", "*0|"},
          {"SPOP s -1", not_a_count}, {"SPOP s 1 2", "-ERR syntax error|"},
          {"SPOP s 5", "*1|$1|a|"},   {"SMEMBERS s", "*0|"},
          {"SCARD s", ":0|"},         {"SREM s a", ":0|"}});
}

TEST(Commands, sorted_sets) {
  expect({{"ZADD z 2 b 1 a 3 c", ":3|"},
          {"ZADD z 2.5 a", ":0|"},
          {"ZCARD z", ":3|"},
          {"ZSCORE z a", "$3|2.5|"},
          {"ZSCORE z x", "$-1|"},
          {"ZSCORE none x", "$-1|"},
          {"ZRANGE z 0 -1", "*3|$1|b|$1|a|$1|c|"},
          {"ZRANGE z 0 0 WITHSCORES", "*2|$1|b|$1|2|"},
          {"ZRANGE z 0 1 REV", "*2|$1|c|$1|a|"},
          {"ZRANGE z -1 -1 rev withscores", "*2|$1|b|$1|2|"},
          {"ZRANGE z 3 9", "*0|"},
          {"ZRANGE none 0 -1", "*0|"},
          {"ZRANGE z 0 1 x", "-ERR syntax error|"},
          {"ZRANGE z 0 x", "-ERR value is not an integer or out of range|"},
          {"ZPOPMIN z", "*2|$1|b|$1|2|"},
          {"ZREM z a x", ":1|"},
          {"ZPOPMIN z 5", "*2|$1|c|$1|3|"},
          {"EXISTS z", ":0|"},
          {"ZPOPMIN z", "*0|"},
          {"ZPOPMIN z -1", not_a_count},
          {"ZPOPMIN z 1 2", "-ERR syntax error|"},
          {"ZADD z 1 b 1 a 1 ab", ":3|"},
          {"ZRANGE z 0 -1", "*3|$1|a|$2|ab|$1|b|"},
          {"ZREM z a b ab", ":3|"},
          {"ZREM z a", ":0|"},
          {"ZCARD z", ":0|"}});
}

TEST(Commands, scores) {
  expect({{"ZADD z inf a -inf b +5 c 1e3 d 0.1 e 1e20 f", ":6|"},
          {"ZSCORE z a", "$3|inf|"},
          {"ZSCORE z b", "$4|-inf|"},
          {"ZSCORE z c", "$1|5|"},
          {"ZSCORE z d", "$4|1000|"},
          {"ZSCORE z e", "$19|0.10000000000000001|"},
          {"ZSCORE z f", "$5|1e+20|"}});
  for (const std::string text : {"nan", "x", "''", "' 1'", "1x", "1e400", "+-1", "--1"}) {
    client one;
    const std::string request = "ZADD z 1 a " + text + " b";
    expect(one, {{request, "-ERR value is not a valid float|"}, {"EXISTS z", ":0|"}});
  }
}

TEST(Commands, zadd_with_conditions) {
  expect(
      {{"ZADD z XX 1 a", ":0|"},
       {"EXISTS z", ":0|"},
       {"ZADD z NX 1 a", ":1|"},
       {"ZADD z NX 2 a", ":0|"},
       {"ZADD z XX CH 2 a 1 b", ":1|"},
       {"ZADD z CH 2 a", ":0|"},
       {"ZADD z GT CH 1 a 1 b", ":1|"},
       {"ZADD z LT CH 1 a", ":1|"},
       {"ZADD z INCR 5 a", "$1|6|"},
       {"ZADD z INCR NX 5 a", "$-1|"},
       {"ZADD z INCR GT -5 a", "$-1|"},
       {"ZADD z INCR 5 c", "$1|5|"},
       {"ZADD z INCR inf c", "$3|inf|"},
       {"ZADD z INCR -inf c", "-ERR resulting score is not a number (NaN)|"},
       {"ZADD z INCR 1 a 1 b",
        "-ERR INCR option supports a single increment-element pair|"},
       {"ZADD z NX XX 1 a", "-ERR XX and NX options at the same time are not compatible|"},
       {"ZADD z GT LT 1 a",
        "-ERR GT, LT, and/or NX options at the same time are not compatible|"},
       {"ZADD z 1 a 2", "-ERR syntax error|"},
       {"ZADD z CH CH", "-ERR syntax error|"}});
}

TEST(Commands, each_type_refuses_the_commands_of_the_others) {
  client one;
  expect(one, {{"SET t 1", "+OK|"}, {"RPUSH l 1", ":1|"}});
  for (const std::string_view request :
       {"LPUSH t 1",  "RPUSH t 1",   "LRANGE t 0 1",  "LPOP t",     "RPOP t 1",
        "LLEN t",     "HSET t a 1",  "HGET t a",      "HGETALL t",  "HDEL t a",
        "HLEN t",     "HEXISTS t a", "SADD t a",      "SREM t a",   "SPOP t",
        "SCARD t",    "SMEMBERS t",  "SISMEMBER t a", "ZADD t 1 a", "ZRANGE t 0 1",
        "ZSCORE t a", "ZCARD t",     "ZREM t a",      "ZPOPMIN t",  "GET l",
        "GETSET l 1", "GETDEL l",    "STRLEN l",      "INCR l",     "DECRBY l 1",
        "APPEND l 1", "SADD l 1"}) {
    expect(one, {{request, wrong_kind}});
  }
  expect(one, {{"GET t", "$1|1|"}, {"LRANGE l 0 -1", "*1|$1|1|"}});
}

TEST(Commands, what_was_popped_is_not_lost_if_the_reply_is_too_large) {
  limits small;
  small.most_reply = 40;
  client one{small};
  expect(one, {{"RPUSH l 0123456789 0123456789 0123456789", ":3|"},
               {"LPOP l 3", "-ERR reply is too large|"},
               {"LLEN l", ":3|"},
               {"LPOP l", "$10|0123456789|"}});
}

}  // namespace
}  // namespace kv::testing
