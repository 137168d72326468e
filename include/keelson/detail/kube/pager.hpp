// A list in pages, from the first object to the last one.
//
// A caller that stops early only stops calling next(). `client` must outlive the pager.
#pragma once

#include <utility>

#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::kube {

class Pager {
 public:
  Pager(Client& client, Resource resource, ListOptions options)
      : client_(client), resource_(std::move(resource)), options_(std::move(options)) {}

  // The next page that has objects; a page without objects after the last one. kStatus 410 (is_gone) if reading took
  // longer than the API server stores the list: list again. kMalformed if a page refers to itself, which would never
  // end.
  [[nodiscard]] Task<List> next();

 private:
  Client& client_;
  Resource resource_;
  ListOptions options_;
  bool is_last_ = false;
};

}  // namespace keelson::kube
