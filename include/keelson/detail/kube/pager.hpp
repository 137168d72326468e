// A list in pages, from the first object to the last one.
//
// A caller that stops early only stops calling next(). `client` must outlive the pager.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::kube {

// Notices that the pages of a list refer to each other in a circle, by Brent's cycle detection: only the token of one
// earlier page is stored, and the distance to the next stored one doubles, so a circle is detected within three times
// the pages that the circle and the way to it have.
class CircleOfPages {
 public:
  // `first`: the token with which the list begins, if not empty.
  explicit CircleOfPages(std::string first) : landmark_(std::move(first)) {}

  // kMalformed if the token, which is not empty, is that of an earlier page.
  [[nodiscard]] Result<void> enter(const std::string& token);

 private:
  std::string landmark_;  // the stored token
  std::uint64_t pages_to_landmark_ = 1;
  std::uint64_t landmark_distance_ = 2;
};

class Pager {
 public:
  Pager(Client& client, Resource resource, ListOptions options)
      : client_(client),
        resource_(std::move(resource)),
        options_(std::move(options)),
        circle_(options_.continue_token) {}

  // The next page that has objects; a page without objects after the last one. kStatus 410 (is_gone) if reading took
  // longer than the API server stores the list: list again. kMalformed if the pages refer to each other in a
  // circle, which would never end.
  [[nodiscard]] Task<List> next();

 private:
  Client& client_;
  Resource resource_;
  ListOptions options_;
  bool is_last_ = false;
  CircleOfPages circle_;
};

}  // namespace keelson::kube
