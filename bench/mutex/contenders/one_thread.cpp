#include <mutex/contenders.hpp>

namespace hotseat::bench {

namespace {

struct no_lock {};

mutex_outcome run(const mutex_settings& settings) {
  mutex_run<no_lock> all{settings, 1};
  participant& self = all.participants().front();
  return all.measure([&] {
    for (std::uint32_t i = 0; i < self.iterations; ++i) {
      const std::uint32_t prime = all.draw(self);
      all.section(prime);
      all.work(self, prime);
    }
    all.finish();
  });
}

}  // namespace

mutex_contender one_thread() { return {one_thread_name, "", run, "", "", ""}; }

}  // namespace hotseat::bench
