// Jobs in a queue, and tasks that wait for them.  No task is resumed only to find it empty.
#include <hotseat/hotseat.hpp>

#include <cstdio>
#include <deque>
#include <vector>

struct job_queue {
  hotseat::mutex m;
  hotseat::condition_variable changed;
  std::deque<int> jobs;
  bool is_over = false;
};

hotseat::task<> produce(job_queue& queue, int jobs) {
  for (int i = 1; i <= jobs; ++i) {
    co_await queue.m.lock();
    queue.jobs.push_back(i);
    co_await queue.changed.notify_one();  // moves a waiter into the line of the mutex
    co_await queue.m.unlock();            // and exchanges with it
  }
  co_await hotseat::with_lock(queue.m, [&] { queue.is_over = true; });
  co_await queue.changed.notify_all();
}

hotseat::task<int> next_job(job_queue& queue) {
  co_await queue.m.lock();
  co_await queue.changed.wait(queue.m,
                              [&] { return !queue.jobs.empty() || queue.is_over; });
  int job = 0;
  if (!queue.jobs.empty()) {
    job = queue.jobs.front();
    queue.jobs.pop_front();
  }
  co_await queue.m.unlock();
  co_return job;
}

hotseat::task<> consume(job_queue& queue, long& sum) {
  int job = co_await next_job(queue);
  while (job != 0) {
    co_await hotseat::with_lock(queue.m, [&] { sum += job; });
    job = co_await next_job(queue);
  }
}

int main() {
  hotseat::thread_pool pool;
  job_queue queue;
  long sum = 0;
  hotseat::sync_wait(pool, hotseat::when_all(produce(queue, 1000), consume(queue, sum),
                                             consume(queue, sum)));
  std::printf("sum %ld\n", sum);
  return sum == 1000L * 1001 / 2 ? 0 : 1;
}
