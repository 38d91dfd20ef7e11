// An executor of your own: a run loop on the main thread, as in a user interface.
#include <hotseat/hotseat.hpp>

#include <condition_variable>
#include <cstdio>
#include <mutex>

// A waiter lies in its task's frame: scheduling allocates nothing and cannot fail.
class run_loop final : public hotseat::executor {
 public:
  void schedule(hotseat::waiter& ready) noexcept override {
    const std::lock_guard guard{lock_};
    line_.push_back(ready);
    has_news_.notify_one();
  }
  void run() {
    hotseat::worker_scope worker{*this};  // this thread runs tasks now
    for (std::unique_lock guard{lock_}; !is_over_;) {
      has_news_.wait(guard, [&] { return !line_.empty(); });
      hotseat::waiter& ready = line_.pop_front();
      guard.unlock();
      worker.run(ready);  // and the tasks that continue in its place
      guard.lock();
    }
  }
  void stop() { is_over_ = true; }  // from a task of the loop
 private:
  std::mutex lock_;
  std::condition_variable has_news_;
  hotseat::waiter_queue line_;
  bool is_over_ = false;
};

hotseat::task<> answer(run_loop& main_loop, hotseat::executor& pool, int& shown) {
  co_await hotseat::resume_on(pool);
  const int result = 6 * 7;  // computed by a worker
  co_await hotseat::resume_on(main_loop);
  shown = result;  // shown by the main thread
  main_loop.stop();
}

int main() {
  hotseat::thread_pool pool;
  run_loop main_loop;
  int shown = 0;
  hotseat::task_group tasks{main_loop};
  tasks.spawn(answer(main_loop, pool, shown));
  main_loop.run();
  std::printf("shown = %d\n", shown);
  return shown == 42 ? 0 : 1;
}
