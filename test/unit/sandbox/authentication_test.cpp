#include "src/sandbox/authentication/authentication.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::sandbox {
namespace {

net::Request asked_for(const std::string& target, const std::string& authorization = "") {
  net::Request made;
  made.target = target;
  if (!authorization.empty()) made.headers.emplace_back("authorization", authorization);
  return made;
}

std::optional<UserInfo> user_of_secret(const std::string& token) {
  return token == "secret" ? std::optional(user_named(kAdministrator)) : std::nullopt;
}

TEST_CASE("only known tokens are accepted, and requests without credentials only reach public paths") {
  struct Row {
    const char* target;
    const char* authorization;
    const char* user;  // empty: 401
    const char* user_with_anonymous;
  };
  const Row rows[] = {
      {"/api/v1/pods", "Bearer secret", kAdministrator, kAdministrator},
      {"/api/v1/pods", "bearer secret", kAdministrator, kAdministrator},
      {"/readyz", "Bearer secret", kAdministrator, kAdministrator},
      {"/api/v1/pods", "", "", kAnonymous},
      {"/api/v1/pods", "Bearer ", "", ""},
      {"/api/v1/pods", "Bearer", "", ""},
      {"/api/v1/pods", "Bearer secre", "", ""},
      {"/api/v1/pods", "Basic secret", "", ""},
      {"/api/v1/pods", "secret", "", ""},
      {"/readyz", "", kAnonymous, kAnonymous},
      {"/livez?verbose", "", kAnonymous, kAnonymous},
      {"/healthz", "", kAnonymous, kAnonymous},
      {"/version", "", kAnonymous, kAnonymous},
      {"/versions", "", "", kAnonymous},
      {"/version", "Bearer wrong", "", ""},
      {"/", "", "", kAnonymous},
  };

  for (const auto& row : rows) {
    INFO(row.target << " " << row.authorization);
    auto name_of = [&row](Anonymous anonymous) {
      auto user = user_of_request(asked_for(row.target, row.authorization), user_of_secret, anonymous);
      return user ? user->name : "";
    };
    CHECK(name_of(Anonymous::kPublicPaths) == row.user);
    CHECK(name_of(Anonymous::kEverywhere) == row.user_with_anonymous);
  }
  auto post = asked_for("/version");
  post.method = "POST";
  CHECK_FALSE(user_of_request(post, user_of_secret, Anonymous::kPublicPaths));
}

TEST_CASE("users have the groups of their names") {
  using Groups = std::vector<std::string>;
  CHECK(user_named("kubernetes-admin").groups == Groups{"system:masters", "system:authenticated"});
  CHECK(user_named("ann").groups == Groups{"system:authenticated"});
  CHECK(user_named("system:anonymous").groups == Groups{"system:unauthenticated"});
  CHECK(user_named("system:node:n").groups == Groups{"system:nodes", "system:authenticated"});
  CHECK(user_named("system:serviceaccount:a:b").groups ==
        Groups{"system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"});
  CHECK(user_named("system:serviceaccount:a:b:c").groups == Groups{"system:authenticated"});
}

}  // namespace
}  // namespace keelson::sandbox
