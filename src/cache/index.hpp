// An index: objects by the values of a function, such as a label, the owner, or a function of a controller.
#pragma once

#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "keelson/detail/cache/informer.hpp"

namespace keelson::cache {

// The objects that have one value. An object is found by its block, also in a large group, so that a tenant who gives
// one value to many objects does not make each of their events slow.
class Posting {
 public:
  using allocator_type = std::pmr::polymorphic_allocator<>;
  explicit Posting(allocator_type allocator) : objects_(allocator), places_(allocator) {}

  void add(const kube::Object& object);
  // Nothing if the object is not here.
  void remove(const kube::Object& object);
  void replace(const kube::Object& before, const kube::Object& after);
  [[nodiscard]] const std::pmr::vector<kube::Object>& objects() const { return objects_; }

 private:
  [[nodiscard]] std::optional<std::size_t> place_of(const kube::Object& object) const;
  void note(const kube::Object& object, std::size_t place);

  std::pmr::vector<kube::Object> objects_;
  std::pmr::unordered_map<const char*, std::size_t> places_;  // by the block; empty for a small group
};

class Index {
 public:
  Index(std::string name, IndexFunction values_of);

  [[nodiscard]] const std::string& name() const { return name_; }
  void add(const kube::Object& object);
  void remove(const kube::Object& object);
  // The index has `before`, and `after` has the same content (Object::same_content), therefore the same values.
  void replace(const kube::Object& before, const kube::Object& after);
  [[nodiscard]] std::vector<kube::Object> find(std::string_view value) const;

 private:
  template <class Visit>
  void for_each_hash(const kube::Object& object, Visit visit) const;

  std::string name_;
  IndexFunction values_of_;
  // Keyed by the hash of the value; reads compare the value, so that none is stored. The pool of its own prevents small
  // blocks between objects, which would fragment the heap.
  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_;
  std::pmr::unordered_map<std::size_t, Posting> postings_;
};

}  // namespace keelson::cache
