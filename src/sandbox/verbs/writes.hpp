// create, update, patch and apply, with their subresources.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/committer.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

class Writes {
 public:
  Writes(World& world, Committer& committer) : world_(world), committer_(committer) {}

  [[nodiscard]] RejectionOr<Answer> create(const Call& call);
  [[nodiscard]] RejectionOr<Answer> update(const Call& call);
  [[nodiscard]] RejectionOr<Answer> patch(const Call& call);

 private:
  using Entry = Store::Entry;

  [[nodiscard]] RejectionOr<Answer> apply(const Call& call, Tree configuration, const Entry* live);
  // Replaces `live` by `own`, the same in the version of the call, if it is stored in another one.
  [[nodiscard]] RejectionOr<void> convert_live(const Call& call, const Entry*& live, std::optional<Entry>& own) const;
  // Of what the client sent, once its fields are read; `live` is null if the object does not exist.
  [[nodiscard]] RejectionOr<Answer> create(const Call& call, Tree body);
  [[nodiscard]] RejectionOr<Answer> update(const Call& call, Tree body, const Entry* live);
  [[nodiscard]] RejectionOr<Answer> replace_patched(const Call& call, const Entry& live, Tree next);
  [[nodiscard]] RejectionOr<Answer> replace(const Call& call, const Entry& live, Tree next);

  [[nodiscard]] RejectionOr<void> check_place(const Call& call, Tree& object) const;
  // The object of an update has a name, whatever the URL says.
  [[nodiscard]] RejectionOr<void> check_named(const Call& call, const Tree& object) const;
  [[nodiscard]] RejectionOr<void> check_version(const Call& call, const Entry& live, const std::string& version) const;

  World& world_;
  Committer& committer_;
};

}  // namespace keelson::sandbox
