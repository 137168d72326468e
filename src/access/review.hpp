// TokenReview and SubjectAccessReview as JSON: building the requests and parsing the replies.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::access {

// The sender of a request, as the API server identifies it; groups and extra as JSON, to be passed on unchanged.
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

// `audience` empty: the token must be one for the API server.
[[nodiscard]] Review token_review(std::string_view token, std::string_view audience = {});
// Asks who this process is.
[[nodiscard]] Review self_review();
// `verb` is the method in lower case.
[[nodiscard]] Review access_review(const User& user, std::string_view verb, std::string_view path);

// The token's owner; nullopt if the API server rejects the token, or if it did not check the audience. kMalformed if
// the reply is not a TokenReview.
[[nodiscard]] Result<std::optional<User>> parse_token_review(std::string_view answer, std::string_view audience = {});
// The user name of this process.
[[nodiscard]] Result<std::string> parse_self_review(std::string_view answer);
[[nodiscard]] Result<bool> parse_access_review(std::string_view answer);

}  // namespace keelson::access
