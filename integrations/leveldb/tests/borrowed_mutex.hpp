// hotseat/rebound/tests/borrowed_mutex.hpp — the bytes that LevelDB reserves for a mutex.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

namespace hotseat::rebound {

struct borrowed_mutex {
  alignas(std::mutex) std::array<std::byte, sizeof(std::mutex)> bytes{};
  void* get() { return bytes.data(); }
};

}  // namespace hotseat::rebound
