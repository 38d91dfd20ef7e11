// bench/mutex/contenders/one_thread.cpp — one thread without a lock: the ideal.
#include <mutex/contenders.hpp>

namespace hotseat::bench {

namespace {

struct no_lock {};

mutex_outcome run(const mutex_settings& settings) {
  mutex_run<no_lock> all{settings, 1};
  return all.measure([&] { all.loop_without_lock(); });
}

}  // namespace

mutex_contender one_thread() { return {one_thread_name, "", run, "", "", ""}; }

}  // namespace hotseat::bench
