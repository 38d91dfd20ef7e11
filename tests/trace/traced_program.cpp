// A program to be recorded: traced_program [delegate].  A task owns a mutex until the
// others are about to wait for it; then they all pass it on a few times.
#include <hotseat/hotseat.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>
#include <vector>

namespace {

constexpr int tasks = 40;
constexpr int rounds = 5;

struct shared {
  hotseat::mutex mutex;
  std::atomic<bool> is_held{false};
  std::atomic<int> arrived{0};
  int sections = 0;
};

hotseat::task<> hold(shared& all) {
  hotseat::trace::name_task("holder");
  co_await all.mutex.lock();
  all.is_held = true;
  while (all.arrived < tasks) co_await hotseat::reschedule();
  ++all.sections;
  co_await all.mutex.unlock();
}

hotseat::task<> arrive(shared& all) {
  while (!all.is_held) co_await hotseat::reschedule();
  ++all.arrived;
}

hotseat::task<> take_turns(shared& all) {
  co_await arrive(all);
  for (int i = 0; i < rounds; ++i) {
    co_await all.mutex.lock();
    ++all.sections;
    co_await all.mutex.unlock();
  }
}

hotseat::task<> delegate(shared& all) {
  co_await arrive(all);
  for (int i = 0; i < rounds; ++i) {
    auto section = [&all] { ++all.sections; };
    co_await hotseat::with_lock(all.mutex, section);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool delegates = argc > 1 && std::string_view{argv[1]} == "delegate";
  hotseat::thread_pool pool{hotseat::thread_pool_options{
      .threads = 3, .chain_limit = std::numeric_limits<std::uint32_t>::max()}};
  shared all;
  std::vector<hotseat::task<>> each;
  each.push_back(hold(all));
  for (int i = 0; i < tasks; ++i) {
    each.push_back(delegates ? delegate(all) : take_turns(all));
  }
  hotseat::sync_wait(pool, hotseat::when_all(std::move(each)));
  std::printf("%d sections\n", all.sections);
  return all.sections == tasks * rounds + 1 ? 0 : 1;
}
