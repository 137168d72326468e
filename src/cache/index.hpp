// An index: objects by the values of a function, such as a label, the owner, or a function of a controller.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "keelson/cache/informer.hpp"

namespace keelson::cache {

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
  std::string name_;
  IndexFunction values_of_;
  // Keyed by the hash of the value; reads compare the value, so that none is stored. The pool of its own prevents small
  // blocks between objects, which would fragment the heap.
  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_;
  std::pmr::unordered_map<std::size_t, std::pmr::vector<kube::Object>> objects_;
};

}  // namespace keelson::cache
