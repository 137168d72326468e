// Keeping the children of one object during one pass: what is in their way is told in the log, in Events and to the
// status.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>

#include "keelson/controller/catch_up.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/kube/condition.hpp"

namespace keelson::controller {

class ChildKeeper {
 public:
  // With a CatchUp, which outlives it, a child that another leader has brought to a newer spec of the owner is not
  // brought back: before one is changed, the owner is looked at again.
  ChildKeeper(Context& context, kube::Resource owner_resource, kube::Object owner, Logger log,
              CatchUp* catch_up = nullptr);

  // keep_child with what the cache has under `name`: the child as it is now, or none when the name belongs to somebody
  // else. An Error is for the next try; `trouble` has it too where the user has to be told.
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<kube::Object>>> keep(kube::Resource resource,
                                                                                 std::string name, std::string wanted);

  // Whether the cache has the owner's spec as this pass has it. If not the pass is overtaken, and keeps no more
  // children: end it and begin another.
  [[nodiscard]] bool is_current();
  [[nodiscard]] bool is_overtaken() const { return is_overtaken_; }

  // The child of that name as the cache has it, if our owner controls it.
  [[nodiscard]] std::optional<kube::Object> find(const kube::Resource& resource, const std::string& name) const;

  // What keeps children from their desired state and time alone does not fix: ForeignObject, CreateFailed,
  // UpdateFailed. Each is recorded as a Warning Event of the owner too.
  [[nodiscard]] const std::optional<kube::Claim>& trouble() const { return foreign_ ? foreign_ : refusal_; }

 private:
  [[nodiscard]] boost::asio::awaitable<Result<bool>> may_update();
  [[nodiscard]] kube::Claim record(kube::Claim problem);

  Context& context_;
  kube::Resource owner_resource_;
  kube::Object owner_;
  Logger log_;
  CatchUp* catch_up_;
  bool is_overtaken_ = false;
  std::optional<kube::Claim> foreign_;
  std::optional<kube::Claim> refusal_;
};

// Keys of ours which an object of a stranger may be in the way of: such an object has no owner that leads to us, but
// its name does. `name_of` is the name of our object from that of the child; empty: none. For Definition::watches.
[[nodiscard]] MapFunction by_name(kube::Resource owner_resource, std::function<std::string(std::string_view)> name_of);

}  // namespace keelson::controller
