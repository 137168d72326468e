// The options in the query of a request, and those in the body of a delete, validated as by apimachinery, with its
// texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

// `strconv.ParseUint: parsing "12x": invalid syntax`; nullopt if the resourceVersion is a number or empty.
[[nodiscard]] std::optional<std::string> version_error(const std::string& version);
// `resourceVersion: Invalid value: "12x": ` and the error above, for the resourceVersion of a get, list or watch.
[[nodiscard]] std::optional<std::string> query_version_error(const Call& call);

// ListOptions: of a list or deletecollection, and of a watch.
[[nodiscard]] RejectionOr<void> check_list_options(const Call& call);
[[nodiscard]] RejectionOr<void> check_watch_options(const Call& call);
// The resourceVersion of a list or deletecollection: 400 if it is malformed, 504 if it is later than `current`.
[[nodiscard]] RejectionOr<void> check_listed_version(const Call& call, std::uint64_t current);
// CreateOptions, UpdateOptions or PatchOptions.
[[nodiscard]] RejectionOr<void> check_write_options(const Call& call);
// DeleteOptions. The query counts only without a body, as in kube-apiserver (DeleteResource in
// endpoints/handlers/delete.go).
[[nodiscard]] RejectionOr<Tree> delete_options(const Call& call);

}  // namespace keelson::sandbox
