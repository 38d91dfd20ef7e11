// hotseat/core/pinned.hpp — base for types whose address is part of their meaning.
// Layer: core.
#pragma once

namespace hotseat {

/// Neither copyable nor movable: other objects hold pointers into it.  A template, so that
/// the bases of an object and of its first member are different types and both take no
/// room.
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
