// The object of a review: the received bytes, which are valid JSON. It is not parsed into a tree, because it can have
// several megabytes and a tree needs up to thirty times its text.
//
// The fields that the struct describes have been decoded before the author's code runs. Read other fields on demand.
//
// Example (test/examples/webhook.cpp#reviewed_object):
//   asio::awaitable<webhook::Decision> require_team(const webhook::Request& request) {
//     auto labels = co_await request.object.read({"metadata", "labels"});
//     if (!labels) co_return webhook::Decision::fail(500, labels.error().message());
//     if (labels->root().find("team").string()) co_return webhook::Decision::allow();
//     co_return webhook::Decision::deny("the label team is missing");
//   }
//
// It refers to the bytes of the request: valid as long as the review, also for copies.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"
#include "keelson/schema/describe.hpp"

namespace keelson::webhook {

class ReviewedObject {
 public:
  // The members that the validation of the bytes finds on its way; empty: absent.
  struct Parts {
    std::string_view json;
    std::string_view spec;  // as JSON
    std::string api_version;
    std::string kind;
    std::string name;
    bool is_being_deleted = false;
  };

  // Absent: the old object of a create, the object of a delete.
  ReviewedObject() = default;
  ReviewedObject(async::Clock& clock, Parts parts) : clock_(&clock), parts_(std::move(parts)) {}
  // For tests: `json` must outlive the result.
  [[nodiscard]] static Result<ReviewedObject> of(async::Clock& clock, std::string_view json);

  [[nodiscard]] bool is_absent() const { return parts_.json.empty(); }
  [[nodiscard]] bool is_object() const { return parts_.json.starts_with('{'); }
  [[nodiscard]] std::string_view json() const { return parts_.json; }
  [[nodiscard]] std::string_view spec() const { return parts_.spec; }
  [[nodiscard]] const std::string& api_version() const { return parts_.api_version; }
  [[nodiscard]] const std::string& kind() const { return parts_.kind; }
  [[nodiscard]] const std::string& name() const { return parts_.name; }
  // True if it has a metadata.deletionTimestamp: allow such updates, so that its finalizers can be removed.
  [[nodiscard]] bool deleting() const { return parts_.is_being_deleted; }

  // The value at a path as a tree; `null` if it is absent. kInvalid, with the path, if it has more than 256 KiB:
  // describe larger values in the struct, or scan json(). It parses in time slices, so it yields the loop.
  [[nodiscard]] Task<json::Document> read(std::vector<std::string> path) const;

  // The object as a described struct, for example the old object of a mutating webhook; empty if it is absent. Errors
  // as of decode().
  template <class T>
  [[nodiscard]] Task<std::optional<T>> read_as() const {
    if (is_absent()) co_return std::optional<T>();
    std::optional<T> out(std::in_place);
    KEELSON_CO_TRY(co_await decode(kube::type_of<T>(), &*out));
    co_return out;
  }

  // Decode the object, or its spec, into `out`, a struct that `type` describes. An absent object leaves it unchanged.
  // kMalformed for a wrong type; kInvalid if the struct needs too much memory (a multiple of the text's size).
  [[nodiscard]] Task<void> decode(const kube::Type& type, void* out) const;
  [[nodiscard]] Task<void> decode_spec(const kube::Type& type, void* out) const;

  // The values at paths below `value`, a part of json(), as JSON, in the order of `paths`; empty if absent.
  [[nodiscard]] Task<std::vector<std::string_view>> find_in(std::string_view value,
                                                            std::vector<std::vector<std::string>> paths) const;

 private:
  async::Clock* clock_ = nullptr;
  Parts parts_;
};

}  // namespace keelson::webhook
