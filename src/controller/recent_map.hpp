// A map that removes the least recently used entry when it is full.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <utility>

#include "keelson/detail/base/text_hash.hpp"

namespace keelson::controller {

template <class Value>
class RecentMap {
 public:
  explicit RecentMap(std::size_t limit) : limit_(limit) {}

  // The value of `key`, which becomes the most recent; null if it does not exist.
  Value* use(const std::string& key) {
    auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    values_.splice(values_.begin(), values_, found->second);
    return &found->second->second;
  }

  // The same without making it recent.
  Value* find(const std::string& key) {
    auto found = places_.find(key);
    return found == places_.end() ? nullptr : &found->second->second;
  }

  // `key` must be new.
  Value& add(const std::string& key, Value value) {
    if (values_.size() >= limit_) erase(std::string(values_.back().first));
    values_.emplace_front(key, std::move(value));
    places_.emplace(key, values_.begin());
    return values_.front().second;
  }

  void erase(const std::string& key) {
    auto found = places_.find(key);
    if (found == places_.end()) return;
    values_.erase(found->second);
    places_.erase(found);
  }

  // Visits all entries and erases those for which `visit` returns false.
  template <class Visit>
  void keep_if(Visit visit) {
    for (auto place = values_.begin(); place != values_.end();) {
      auto current = place++;
      if (!visit(current->first, current->second)) erase(std::string(current->first));
    }
  }

  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  using Values = std::list<std::pair<std::string, Value>>;
  std::size_t limit_;
  Values values_;  // most recent first
  base::TextMap<std::string, typename Values::iterator> places_;
};

}  // namespace keelson::controller
