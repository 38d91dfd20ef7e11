#include <mutex/contenders.hpp>

#include <utility>

namespace hotseat::bench {

std::vector<mutex_contender> mutex_contenders() {
  std::vector<mutex_contender> all{one_thread()};
  for (mutex_contender& each : hotseat_handoffs()) all.push_back(std::move(each));
  for (mutex_contender& each : hotseat_fibers()) all.push_back(std::move(each));
  all.push_back(separate_threads());
  all.push_back(os_threads());
  all.push_back(boost_fiber());
  all.push_back(one_tbb());
  all.push_back(go());
  all.push_back(tokio());
  return all;
}

}  // namespace hotseat::bench
