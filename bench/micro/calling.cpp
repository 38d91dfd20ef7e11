// bench/micro/calling.cpp — the cost of moving a piece of a program into its own task.
#include <hotseat/hotseat.hpp>

#include <benchmark/benchmark.h>

#include <coroutine>
#include <cstdint>
#include <exception>

namespace hotseat::bench {
namespace {

constexpr std::int64_t batch = 1'000'000;

// Not inlined, so that the compiler cannot omit the frame.
[[gnu::noinline]] int call(int x) {
  benchmark::DoNotOptimize(x);
  return x + 1;
}
[[gnu::noinline]] task<int> call_task(int x) {
  benchmark::DoNotOptimize(x);
  co_return x + 1;
}

/// The minimum of a lazy task, with a frame from operator new.
class heap_task {
 public:
  struct promise_type {
    heap_task get_return_object() {
      return heap_task{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    struct final_operation {
      static bool await_ready() noexcept { return false; }
      static std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> done) noexcept {
        return transfer_to(done.promise().continuation);
      }
      static void await_resume() noexcept {}
    };
    static final_operation final_suspend() noexcept { return {}; }
    void return_value(int result) { value = result; }
    [[noreturn]] static void unhandled_exception() { std::terminate(); }

    std::coroutine_handle<> continuation;
    int value = 0;
  };

  heap_task(heap_task&&) = delete;
  ~heap_task() { coroutine_.destroy(); }

  static bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> self) noexcept {
    coroutine_.promise().continuation = self;
    return transfer_to(coroutine_);
  }
  int await_resume() const noexcept { return coroutine_.promise().value; }

 private:
  explicit heap_task(std::coroutine_handle<promise_type> coroutine)
      : coroutine_{coroutine} {}
  std::coroutine_handle<promise_type> coroutine_;
};

[[gnu::noinline]] heap_task call_heap_task(int x) {
  benchmark::DoNotOptimize(x);
  co_return x + 1;
}

template <auto Call>
task<int> call_often(std::int64_t times) {
  int x = 0;
  for (std::int64_t i = 0; i < times; ++i) x = co_await Call(x);
  co_return x;
}

/// Create, await, destroy: the time is that of one call.
template <auto Call>
void calls(benchmark::State& state) {
  thread_pool pool{1};
  while (state.KeepRunningBatch(batch)) {
    benchmark::DoNotOptimize(sync_wait(pool, call_often<Call>(batch)));
  }
}
BENCHMARK(calls<call_task>)->Name("call/task")->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(calls<call_heap_task>)
    ->Name("call/task_from_operator_new")
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void plain_calls(benchmark::State& state) {
  int x = 0;
  for (auto _ : state) benchmark::DoNotOptimize(x = call(x));
}
BENCHMARK(plain_calls)->Name("call/function")->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace hotseat::bench
