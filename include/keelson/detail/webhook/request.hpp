// An admission request, which is the API server's description of a write that it has not executed yet, and its answer.
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
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/describe.hpp"

namespace keelson::webhook {

// The object of a review: the received bytes, which are valid JSON. It is not parsed into a tree, because it can have
// several megabytes and a tree needs up to thirty times its text. It refers to the bytes of the request: valid as long
// as the review, also for copies.
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

// kUpdate includes patches and server-side applies. kConnect is a request to a subresource such as pods/exec.
enum class Operation { kCreate, kUpdate, kDelete, kConnect };

// The name in the API: "CREATE".
[[nodiscard]] std::string_view name_of(Operation operation);

// The authenticated user of the request (userInfo).
struct User {
  std::string name;  // "system:serviceaccount:default:builder"
  std::string uid;   // may be empty
  std::vector<std::string> groups;
};

// Describes the members of userInfo.
void describe(kube::Description& d, User& user);

// Lives as long as the review: until the coroutine of the webhook has returned.
struct Request {
  explicit Request(Logger logger) : log(std::move(logger)) {}

  std::string uid;  // of this request, not of the object
  Operation operation = Operation::kCreate;
  // The name is the object's, or the request's if the object has none. Empty for a create with generateName.
  kube::Key key;
  std::string subresource;  // "status"; empty: the object itself
  User user;
  bool dry_run = false;       // the write will not be stored: have no effects outside the review
  ReviewedObject object;      // absent for a delete
  ReviewedObject old_object;  // absent for a create
  Logger log;                 // has the keys object, namespace, name, resource, user, requestID
};

// The answer: the write is allowed or denied, with warnings for the user. A denial has the code and the form of the API
// server's own errors, so that clients show it as usual.
//
// Example (test/examples/webhook.cpp#decision):
//   webhook::Decision review_color(const std::string& color, const Result<int>& limit) {
//     if (!limit) return limit.error();  // denied with 403 and the text of the Error
//     if (!color.empty()) return webhook::Decision::allow().warn("spec.color is deprecated");
//     return webhook::Decision::allow();
//   }
class Decision {
 public:
  // A denial as by deny(), with the error's text.
  // NOLINTNEXTLINE(google-explicit-constructor): an Error is returned as the decision
  Decision(const Error& error) : Decision(deny(error.message())) {}
  [[nodiscard]] static Decision allow() { return Decision{}; }
  // A denial with 403 Forbidden, as for a plain error of a Go validator.
  [[nodiscard]] static Decision deny(std::string message);
  // A denial with 422 Invalid and a cause for each field (field_errors.hpp), as apierrors.NewInvalid; without errors
  // the write is allowed. At most limits::kFieldErrors errors are reported, in their order: put metadata before spec.
  [[nodiscard]] static Decision judge(std::vector<kube::FieldError> errors);
  // A denial with another code, which must not be 200 (asserted): 500 if the decision needs data that could not be
  // read.
  [[nodiscard]] static Decision fail(int code, std::string message);

  // Adds a warning, which kubectl shows as "Warning: …" for allowed and denied writes. At most
  // limits::kAdmissionWarnings; further ones are dropped. The API server shows 4096 bytes of them in total.
  Decision& warn(std::string text);

  [[nodiscard]] bool is_allowed() const { return code_ == kAllowed; }
  [[nodiscard]] int code() const { return code_; }
  // Empty for an Invalid: the server composes its text from the errors and the object's name.
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] const std::vector<kube::FieldError>& errors() const { return errors_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Decision() = default;
  static constexpr int kAllowed = 200;
  int code_ = kAllowed;
  std::string message_;
  std::vector<kube::FieldError> errors_;
  std::vector<std::string> warnings_;
};

}  // namespace keelson::webhook
