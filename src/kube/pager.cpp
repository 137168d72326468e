#include "keelson/detail/kube/pager.hpp"

#include "keelson/base/try.hpp"

namespace keelson::kube {

Task<List> Pager::next() {
  List page;
  while (page.items.empty() && !is_last_) {
    KEELSON_CO_LET(page, co_await list(client_, resource_, options_));
    is_last_ = page.continue_token.empty();
    if (!is_last_ && page.continue_token == options_.continue_token) {
      co_return malformed_error("list " + resource_.qualified_plural() + ": the continue token of a page is its own");
    }
    options_.continue_token = page.continue_token;
  }
  co_return page;
}

}  // namespace keelson::kube
