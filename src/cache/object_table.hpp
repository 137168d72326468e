// Objects by namespace and name: a hash table of positions in a dense array, without an allocation for each object.
//
// A small block between two objects would fragment the heap when they are replaced (measured: 50 % more memory). Only
// the array has handles, so that an empty bucket costs four bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "keelson/kube/object.hpp"

namespace keelson::cache {

class ObjectTable {
 public:
  using Place = std::uint32_t;  // of a slot, counted from 1; 0: none

  struct Slot {
    kube::Object object;
    std::uint32_t hash;
    std::uint32_t epoch : 30;        // of the last list or event that had it
    std::uint32_t disputed : 1;      // the list of that epoch has an older state
    std::uint32_t incomparable : 1;  // the server went back in time since: any state replaces it
    Place next = 0;                  // in the chain of its namespace
    Place previous = 0;
  };

  ObjectTable();

  // Valid until the next put or erase; null if there is none.
  [[nodiscard]] const Slot* find(std::string_view ns, std::string_view name) const;
  [[nodiscard]] Slot* find(std::string_view ns, std::string_view name);
  // Adds or replaces the object and returns the replaced one. The slot has the later of both epochs; its marks are
  // cleared.
  std::optional<kube::Object> put(kube::Object object, std::uint32_t epoch);
  std::optional<kube::Object> erase(std::string_view ns, std::string_view name);

  // The objects of a namespace, in no particular order. The time does not depend on the other objects.
  [[nodiscard]] std::vector<kube::Object> list(std::string_view ns) const;
  // In no particular order.
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  [[nodiscard]] std::vector<Slot>& slots() { return slots_; }
  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  // Bytes of all objects.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr Place kEmpty = 0;

  [[nodiscard]] std::size_t locate(std::uint32_t hash, std::string_view ns, std::string_view name) const;
  [[nodiscard]] std::size_t free_bucket(std::uint32_t hash) const;
  [[nodiscard]] std::size_t bucket_of(Place place) const;
  void clear_bucket(std::size_t hole);
  void grow();
  [[nodiscard]] Slot& at(Place place) { return slots_[place - 1]; }
  void link(Place place);
  void unlink(Place place);
  void move_last_to(Place place);

  std::vector<Slot> slots_;
  std::vector<Place> buckets_;  // a power of two, at most three quarters full
  std::size_t bytes_ = 0;
  // The first slot of each namespace, by the hash of its name: namespaces with the same hash share a chain. The pool of
  // its own prevents small blocks between objects.
  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_;
  std::pmr::unordered_map<std::size_t, Place> chains_;
};

}  // namespace keelson::cache
