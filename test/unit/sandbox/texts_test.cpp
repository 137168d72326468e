#include "src/sandbox/requests/texts.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::sandbox {
namespace {

TEST_CASE("the parts of a text leave out empty ones") {
  CHECK(parts_of("/apis//apps/v1/", '/') == std::vector<std::string_view>{"apis", "apps", "v1"});
  CHECK(parts_of("", '/').empty());
  CHECK(words_of("get list  watch") == std::vector<std::string>{"get", "list", "watch"});
}

TEST_CASE("a word is found as a whole") {
  CHECK(has_word("get list watch", "list"));
  CHECK_FALSE(has_word("get list watch", "lis"));
  CHECK_FALSE(has_word("get list watch", ""));
}

}  // namespace
}  // namespace keelson::sandbox
