// docs/reference and deploy/argocd of the source tree against the output of the program `reference`.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "src/kinds/built_in.hpp"
#include "test/support/files.hpp"
#include "tools/reference/health_checks.hpp"
#include "tools/reference/pages.hpp"

namespace {

using namespace keelson;
using testing::content_of;

const std::filesystem::path kSource = KEELSON_SOURCE_DIR;

bool has_page(const std::vector<reference::Page>& pages, const std::string& file) {
  return std::ranges::any_of(pages, [&](const auto& page) { return page.file == file; });
}

}  // namespace

TEST_CASE("docs/reference equals the output of `make generate`") {
  for (const reference::Page& page : reference::pages()) {
    INFO("docs/reference/" << page.file << ": run `make generate`");
    CHECK(content_of(kSource / "docs/reference" / page.file) == page.content);
  }
}

TEST_CASE("deploy/argocd/health-checks.yaml is what `make generate` writes") {
  const auto folder = kSource / "deploy/argocd";
  CHECK(content_of(folder / "health-checks.yaml") ==
        reference::health_checks(kinds::built_in(), content_of(folder / "health.lua")));
}

TEST_CASE("docs/reference has no page of a kind that does not exist") {
  const auto pages = reference::pages();
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "docs/reference")) {
    INFO("docs/reference/" << entry.path().filename().string() << " is not generated any more");
    CHECK(has_page(pages, entry.path().filename().string()));
  }
}

TEST_CASE("every kind that config/ defines has a reference page") {
  const auto pages = reference::pages();
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "config/crd/bases")) {
    const auto crd = content_of(entry.path());
    const std::string key = "    singular: ";
    const auto start = crd.find(key);
    REQUIRE(start != std::string::npos);
    const auto singular = crd.substr(start + key.size(), crd.find('\n', start) - start - key.size());
    INFO("src/kinds/built_in.cpp lists no controller of " << singular);
    CHECK(has_page(pages, singular + ".md"));
  }
}
