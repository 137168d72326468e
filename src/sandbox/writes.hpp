// create, update, patch and apply, with their subresources.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/call.hpp"
#include "src/sandbox/committer.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

class Writes {
 public:
  Writes(World& world, Committer& committer) : world_(world), committer_(committer) {}

  [[nodiscard]] Outcome create(const Call& call);
  [[nodiscard]] Outcome update(const Call& call);
  [[nodiscard]] Outcome patch(const Call& call);

 private:
  using Entry = Store::Entry;

  [[nodiscard]] Outcome apply(const Call& call, Tree configuration, const Entry* live);
  [[nodiscard]] Outcome apply_scale(const Call& call, const Tree& scale, const Entry* live);
  // Replaces `live` by `own`, the same in the version of the call, if it is stored in another one. False while a
  // webhook must be called first.
  [[nodiscard]] bool convert_live(const Call& call, const Entry*& live, std::optional<Entry>& own) const;
  [[nodiscard]] Outcome replace(const Call& call, const Entry& live, Tree next);

  [[nodiscard]] std::optional<Rejection> check_type(const Call& call, Tree& object) const;
  [[nodiscard]] std::optional<Rejection> check_place(const Call& call, Tree& object) const;

  World& world_;
  Committer& committer_;
};

}  // namespace keelson::sandbox
