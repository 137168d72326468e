#include "keelson/detail/kube/pager.hpp"

#include "keelson/base/try.hpp"

namespace keelson::kube {

Task<List> Pager::next() {
  List page;
  while (page.items.empty() && !is_last_) {
    KEELSON_CO_LET(page, co_await list(client_, resource_, options_));
    is_last_ = page.continue_token.empty();
    if (!is_last_) {
      auto entered = circle_.enter(page.continue_token);
      if (!entered) co_return std::move(entered).error().with_context("list " + resource_.qualified_plural());
    }
    options_.continue_token = page.continue_token;
  }
  co_return page;
}

Result<void> CircleOfPages::enter(const std::string& token) {
  if (token == landmark_) return malformed_error("the continue token of a page is that of an earlier page");
  if (--pages_to_landmark_ == 0) {
    landmark_ = token;
    pages_to_landmark_ = landmark_distance_;
    landmark_distance_ *= 2;
  }
  return {};
}

}  // namespace keelson::kube
