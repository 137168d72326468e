// Rejections: the Status objects of the API server, with exactly its texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "keelson/detail/schema/field_error.hpp"
#include "keelson/kube/client.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct Rejection {
  int code = 500;
  Tree status;                             // metav1.Status without its code
  std::vector<std::string> warnings = {};  // of the decoder, which may have accepted the body
  [[nodiscard]] std::string reason() const { return status.text_at({"reason"}); }
  [[nodiscard]] std::string message() const { return status.text_at({"message"}); }
  // The whole Status. Its members have the real server's order, because some clients compare or print the text.
  [[nodiscard]] Tree body() const;
  [[nodiscard]] std::string text() const { return body().text(); }
};

using kube::FieldError;
using kube::FieldReason;

[[nodiscard]] Rejection rejection(int code, std::string reason, std::string message);
// The `details` of a Status; each part is left out if it is empty.
[[nodiscard]] Tree details_of(const kube::Resource& resource, const std::string& kind, const std::string& name);
[[nodiscard]] Rejection bad_request(std::string message);
// The rejection for an error of the store: 500 if its journal failed, else the object cannot be stored.
[[nodiscard]] Rejection not_stored(const Error& error);
[[nodiscard]] Rejection not_served();
// The group and version do not exist. The real server answers "404 page not found" without a Status; this is the Status
// that clients make of it.
[[nodiscard]] Rejection page_not_found(const kube::ApiRequest& request);
[[nodiscard]] Rejection method_not_allowed();
[[nodiscard]] Rejection unknown_patch();
[[nodiscard]] Rejection not_found(const kube::Resource& resource, const std::string& name);
[[nodiscard]] Rejection already_exists(const kube::Resource& resource, const std::string& name);
[[nodiscard]] Rejection conflict(const kube::Resource& resource, const std::string& name, const std::string& why);
[[nodiscard]] Rejection outdated(const kube::Resource& resource, const std::string& name);
[[nodiscard]] Rejection invalid_object(const kube::Resource& resource, const std::string& name,
                                       const std::vector<FieldError>& errors);
[[nodiscard]] Rejection expired(std::string message);
[[nodiscard]] Rejection too_large_version(std::uint64_t asked, std::uint64_t current);

}  // namespace keelson::sandbox
