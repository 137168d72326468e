#include "src/install/metadata_pages.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/install/limits.hpp"

namespace keelson::install {

Task<std::vector<kube::Object>> MetadataPages::next() {
  while (!is_last_) {
    kube::ListOptions options;
    options.limit = limits::kUninstallPage;
    options.continue_token = continue_token_;
    options.content = kube::Content::kMetadata;
    KEELSON_CO_LET(auto page, co_await kube::list(client_, resource_, std::move(options)));
    continue_token_ = std::move(page.continue_token);
    is_last_ = continue_token_.empty();
    if (!page.items.empty()) co_return std::move(page.items);
  }
  co_return std::vector<kube::Object>();
}

}  // namespace keelson::install
