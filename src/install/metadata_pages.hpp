// The metadata of all objects of a kind, a page at a time.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::install {

class MetadataPages {
 public:
  // `client` must outlive it.
  MetadataPages(kube::Client& client, kube::Resource resource) : client_(client), resource_(std::move(resource)) {}

  // The objects of the next page, sorted by namespace; empty after the last one. kStatus 410 (is_gone) if reading took
  // longer than the API server stores the list.
  [[nodiscard]] Task<std::vector<kube::Object>> next();

 private:
  kube::Client& client_;
  kube::Resource resource_;
  std::string continue_token_;
  bool is_last_ = false;
};

}  // namespace keelson::install
