#include <harness/samples.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace hotseat::bench {

namespace {

/// In how many pairs the value of `a` is the smaller one; ties count half.
double pairs_won(std::span<const double> a, std::span<const double> b) {
  double won = 0;
  for (const double left : a) {
    for (const double right : b) won += left < right ? 1 : left == right ? 0.5 : 0;
  }
  return won;
}

/// Of all orders of `m` and `n` values, the share with at most `most` pairs won.
/// ways[j][u]: orders of i and j values with u pairs won.  The largest value either belongs
/// to the first sample and wins no pair, or to the second, which adds i pairs won.
double share_of_orders(std::size_t m, std::size_t n, std::size_t most) {
  const std::size_t pairs = m * n;
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(pairs + 1));
  for (std::size_t j = 0; j <= n; ++j) ways[j][0] = 1;
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      for (std::size_t u = i; u <= pairs; ++u) ways[j][u] += ways[j - 1][u - i];
    }
  }
  double few = 0;
  double all = 0;
  for (std::size_t u = 0; u <= pairs; ++u) {
    all += ways[n][u];
    if (u <= most) few += ways[n][u];
  }
  return few / all;
}

double normal_tail(double pairs, double m, double n) {
  const double mean = m * n / 2;
  const double deviation = std::sqrt(m * n * (m + n + 1) / 12);
  return std::erfc((mean - pairs - 0.5) / deviation / std::sqrt(2.0)) / 2;
}

constexpr double buckets_per_decade = 8;

}  // namespace

void add_percentiles(std::vector<std::pair<std::string, double>>& numbers,
                     const std::string& name, std::vector<std::uint32_t>& samples,
                     double unit) {
  constexpr std::array<std::pair<const char*, double>, 5> wanted{
      {{"_p50", 0.5}, {"_p90", 0.9}, {"_p99", 0.99}, {"_p999", 0.999}, {"_max", 1}}};
  std::sort(samples.begin(), samples.end());
  for (const auto& [suffix, share] : wanted) {
    double value = 0;
    if (!samples.empty()) {
      // The smallest sample that no more than the wanted share exceeds.
      const auto rank =
          static_cast<std::size_t>(std::ceil(share * static_cast<double>(samples.size())));
      value = unit * static_cast<double>(samples[std::max<std::size_t>(rank, 1) - 1]);
    }
    numbers.emplace_back(name + suffix, value);
  }
}

histogram::histogram(const std::vector<std::uint32_t>& samples, double unit) {
  for (const std::uint32_t each : samples) {
    const double value = unit * static_cast<double>(each);
    const double place = value <= 1 ? 0 : std::ceil(buckets_per_decade * std::log10(value));
    const auto bucket = static_cast<std::size_t>(place);
    if (bucket >= counts_.size()) counts_.resize(bucket + 1);
    ++counts_[bucket];
  }
}

histogram& histogram::operator+=(const histogram& other) {
  counts_.resize(std::max(counts_.size(), other.counts_.size()));
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  return *this;
}

double histogram::upper_end(std::size_t bucket) {
  return std::pow(10.0, static_cast<double>(bucket) / buckets_per_decade);
}

double chance_of_one_source(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t most_exact = 60;
  const double won = pairs_won(a, b);
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  const double fewer = std::min(won, pairs - won);
  const double tail =
      a.size() + b.size() <= most_exact
          ? share_of_orders(a.size(), b.size(), static_cast<std::size_t>(std::ceil(fewer)))
          : normal_tail(fewer, static_cast<double>(a.size()),
                        static_cast<double>(b.size()));
  return std::min(1.0, 2 * tail);
}

}  // namespace hotseat::bench
