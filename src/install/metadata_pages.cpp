#include "src/install/metadata_pages.hpp"

#include "keelson/base/try.hpp"

namespace keelson::install {

namespace {

// Objects in a page of a list of metadata: about 500 KB.
constexpr std::int64_t kUninstallPage = 500;

}  // namespace

Task<std::vector<kube::Object>> MetadataPages::next() {
  while (!is_last_) {
    kube::ListOptions options;
    options.limit = kUninstallPage;
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
