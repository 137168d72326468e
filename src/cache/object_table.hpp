// A flat hash table of objects by namespace and name: no allocation of its own beside each object.
//
// A small block between two objects would fragment the heap when they are replaced (measured: half as much again),
// so a slot holds only the handle, its hash and the epoch in which the object was last seen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "keelson/kube/object.hpp"

namespace keelson::cache {

class ObjectTable {
 public:
  struct Slot {
    std::optional<kube::Object> object;
    std::uint32_t hash = 0;
    std::uint32_t epoch = 0;
  };

  // Valid until the next put or erase; null when there is none.
  [[nodiscard]] const Slot* find(std::string_view ns, std::string_view name) const;
  // Puts or replaces; gives the object that was there. A slot keeps the later of its epochs.
  std::optional<kube::Object> put(kube::Object object, std::uint32_t epoch);
  // Notes that the object was seen; nothing happens when it is not there.
  void mark(std::string_view ns, std::string_view name, std::uint32_t epoch);
  std::optional<kube::Object> erase(std::string_view ns, std::string_view name);

  // The table must not be changed meanwhile.
  void for_each(const std::function<void(const kube::Object&, std::uint32_t epoch)>& visit) const;
  [[nodiscard]] std::size_t size() const { return size_; }
  // Bytes of all objects.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] std::size_t locate(std::uint32_t hash, std::string_view ns, std::string_view name) const;
  void grow();
  std::vector<Slot> slots_;  // a power of two, at most three quarters full
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace keelson::cache
