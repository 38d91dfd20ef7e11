// hotseat/core/pinned.hpp — base for types whose address is part of their meaning.
// Layer: core.
#pragma once

namespace hotseat {

/// Neither copyable nor movable: other objects hold pointers into it.  A template, so that
/// the base of an object and the base of its first member are different types, and neither
/// takes any space.
template <class Derived>
class pinned {
 public:
  pinned(const pinned&) = delete;
  pinned& operator=(const pinned&) = delete;

 private:
  friend Derived;
  pinned() = default;
  ~pinned() = default;
};

}  // namespace hotseat
