// What the webhooks said about one write, so that the write can be run again from its beginning.
//
// A write is synchronous and holds references into the store. When it comes to a webhook, it leaves a question here
// and ends; the webhook is called while other writes go on; then the write is run again, on the newest version of its
// object, and takes the answer from here. An answer is good for the version that it was given about only.
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

  // For the write: each says whether it may go on. If not, it ends with waiting(), having changed nothing.
  [[nodiscard]] bool mutate(const ServedKind& kind, Attributes& attributes, const std::string& basis);
  [[nodiscard]] bool validate(const ServedKind& kind, const Attributes& attributes, const std::string& basis);
  [[nodiscard]] static Refusal waiting();

  // The object under this key in another version of its kind; nothing until a webhook has converted it: then the
  // request ends with waiting() too.
  [[nodiscard]] std::optional<Tree> converted(const ServedKind& kind, const std::string& key,
                                              const std::string& api_version, const std::function<Tree()>& object);
  void remember_conversion(const std::string& key, const std::string& api_version, Tree object);
  struct ToConvert {
    const ServedKind* kind = nullptr;
    std::string api_version;
    std::vector<std::pair<std::string, Tree>> objects;
  };
  std::optional<ToConvert> to_convert;

  // The same in each run of the write.
  std::string uid;
  std::string name_suffix;
  std::string now;
  // What is left of a collection that is being deleted, and what was.
  struct Collection {
    std::vector<kube::Object> left;
    Tree removed = Tree::array();
  };
  std::optional<Collection> collection;

  // For the one who asks.
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

// Which version of which object a write is about.
[[nodiscard]] std::string basis_of(const Call& call, const Store::Entry* live);

}  // namespace keelson::sandbox
