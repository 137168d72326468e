// TokenReview and SubjectAccessReview on the wire: what is asked, and reading the answers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::access {

// Who sent a request, as the API server knows him; groups and extra as JSON, to be handed on.
struct User {
  std::string name;
  std::string uid;
  std::string groups;  // an array, or empty
  std::string extra;   // an object, or empty

  [[nodiscard]] std::size_t bytes() const { return name.size() + uid.size() + groups.size() + extra.size(); }
};

struct Review {
  kube::Resource resource;
  std::string body;
};

[[nodiscard]] Review token_review(std::string_view token);
// `verb` is the method in lower case.
[[nodiscard]] Review access_review(const User& user, std::string_view verb, std::string_view path);

// The token's owner; none when the API server does not take the token. kMalformed when it is no answer.
[[nodiscard]] Result<std::optional<User>> parse_token_review(std::string_view answer);
[[nodiscard]] Result<bool> parse_access_review(std::string_view answer);

}  // namespace keelson::access
