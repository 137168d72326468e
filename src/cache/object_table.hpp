// Objects by namespace and name: a hash table of positions in a dense array, without an allocation for each object.
//
// A small block between two objects would fragment the heap when they are replaced (measured: 50 % more memory). Only
// the array has handles, so that an empty bucket costs four bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "keelson/kube/object.hpp"

namespace keelson::cache {

class ObjectTable {
 public:
  struct Slot {
    kube::Object object;
    std::uint32_t hash;
    std::uint32_t epoch : 30;        // of the last list or event that had it
    std::uint32_t disputed : 1;      // the list of that epoch has an older state
    std::uint32_t incomparable : 1;  // the server went back in time since: any state replaces it
  };

  // Valid until the next put or erase; null if there is none.
  [[nodiscard]] const Slot* find(std::string_view ns, std::string_view name) const;
  [[nodiscard]] Slot* find(std::string_view ns, std::string_view name);
  // Adds or replaces the object and returns the replaced one. The slot has the later of both epochs; its marks are
  // cleared.
  std::optional<kube::Object> put(kube::Object object, std::uint32_t epoch);
  std::optional<kube::Object> erase(std::string_view ns, std::string_view name);

  // In no particular order.
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  [[nodiscard]] std::vector<Slot>& slots() { return slots_; }
  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  // Bytes of all objects.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  using Place = std::uint32_t;  // of a slot, counted from 1
  static constexpr Place kEmpty = 0;

  [[nodiscard]] std::size_t locate(std::uint32_t hash, std::string_view ns, std::string_view name) const;
  [[nodiscard]] std::size_t free_bucket(std::uint32_t hash) const;
  [[nodiscard]] std::size_t bucket_of(Place place) const;
  void clear_bucket(std::size_t hole);
  void grow();

  std::vector<Slot> slots_;
  std::vector<Place> buckets_;  // a power of two, at most three quarters full
  std::size_t bytes_ = 0;
};

}  // namespace keelson::cache
