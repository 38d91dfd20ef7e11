// hotseat/platform/explored/arena.cpp — chunks, filled one after another.
#include "arena.hpp"

#include <hotseat/platform/explored/machine.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace hotseat::platform::explored {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t chunk_bytes = std::size_t{1} << 20U;

std::vector<std::unique_ptr<std::byte[]>> chunks;
std::size_t current = 0;
std::size_t used = 0;

std::byte* start_of(std::byte* chunk) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(chunk);
  return chunk + ((address + alignment - 1) / alignment * alignment - address);
}

}  // namespace

void reuse_memory() noexcept { current = used = 0; }

void* allocate_in_execution(std::size_t bytes) noexcept {
  bytes = (bytes + alignment - 1) / alignment * alignment;
  if (used + bytes > chunk_bytes) {
    ++current;
    used = 0;
  }
  while (current >= chunks.size()) {
    chunks.push_back(std::make_unique<std::byte[]>(chunk_bytes + alignment));
  }
  return start_of(chunks[current].get()) + std::exchange(used, used + bytes);
}

}  // namespace hotseat::platform::explored
