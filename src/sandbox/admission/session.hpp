// The webhooks' responses for one write, so that the write can run again from its beginning.
//
// A write is synchronous and holds references into the store. When it reaches a webhook, it stores a question here and
// ends. The webhook is called while other writes proceed. Then the write runs again, on the newest version of its
// object, and takes the response from here. A response is only valid for the version of the object that the webhook
// received.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/admission/webhooks.hpp"

namespace keelson::sandbox {

class AdmissionSession {
 public:
  explicit AdmissionSession(World& world, Webhooks& webhooks);

  struct Question {
    Webhooks::Phase phase = Webhooks::Phase::kMutating;
    Attributes attributes;
    const ServedKind* kind = nullptr;
    std::string basis;
  };

  // The write calls these. Until webhooks have answered, each returns the rejection with which the write ends, having
  // changed nothing; the client does not receive it.
  [[nodiscard]] RejectionOr<void> mutate(const ServedKind& kind, Attributes& attributes, const std::string& basis);
  [[nodiscard]] RejectionOr<void> validate(const ServedKind& kind, const Attributes& attributes,
                                           const std::string& basis);
  // Both, for a request whose object no webhook may change.
  [[nodiscard]] RejectionOr<void> admit(const ServedKind& kind, Attributes attributes, const std::string& basis);
  // The object with this key in another version of its kind.
  [[nodiscard]] RejectionOr<Tree> converted(const ServedKind& kind, const std::string& key,
                                            const std::string& api_version, const std::function<Tree()>& object);
  void remember_conversion(const std::string& key, const std::string& api_version, Tree object);
  struct ToConvert {
    const ServedKind* kind = nullptr;
    std::string api_version;
    std::vector<std::pair<std::string, Tree>> objects;
  };
  std::optional<ToConvert> to_convert;

  // These values are the same in each run of the write.
  std::string uid;
  std::string name_suffix;
  std::string now;
  // The remaining and the removed objects of a collection that is being deleted.
  struct Collection {
    std::vector<kube::Object> left;
    Tree removed = Tree::array();
  };
  std::optional<Collection> collection;

  // For Admission, which answers the question.
  std::optional<Question> question;
  void answer_mutating(Tree object);
  void answer_validating();
  void warn(const std::vector<std::string>& warnings);
  std::vector<std::string> warnings;

 private:
  struct Mutated {
    std::string basis;
    Tree object;
  };
  Webhooks& webhooks_;
  std::map<std::pair<std::string, std::string>, Tree> converted_;
  std::optional<Mutated> mutated_;
  std::optional<std::string> validated_;
};

// Identifies the object of a write and its version.
[[nodiscard]] std::string basis_of(const Call& call, const Store::Entry* live);

}  // namespace keelson::sandbox
