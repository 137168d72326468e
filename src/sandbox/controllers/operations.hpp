// What a controller in the server's process reads and writes with, as the user that it is in a cluster.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/sandbox/committer.hpp"
#include "src/sandbox/deletes.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

// How many objects a controller creates or deletes before others have their turn: burstReplicas of
// kube-controller-manager.
inline constexpr std::size_t kBurst = 500;

class EventRecorder;

class Operations {
 public:
  // Without a recorder no Events are recorded.
  Operations(World& world, Committer& committer, Deletes& deletes, std::string user, EventRecorder* recorder = nullptr)
      : world(world),
        committer_(committer),
        deletes_(deletes),
        user_(user_named(std::move(user))),
        recorder_(recorder) {}

  World& world;

  [[nodiscard]] const ServedKind& kind(const kube::Resource& resource) const;
  // Whose controller has this uid. Handles, so that the store may change while they are gone through.
  [[nodiscard]] std::vector<kube::Object> owned(const kube::Resource& resource, const kube::Object& by) const;
  [[nodiscard]] std::optional<kube::Object> object(const kube::Resource& resource, const kube::Key& key) const;
  [[nodiscard]] const Tree* tree(const kube::Resource& resource, const kube::Key& key) const;

  void create(const kube::Resource& resource, const std::string& ns, Tree object);
  void write(const kube::Resource& resource, const kube::Key& key, Tree object, const std::string& subresource = "");
  // As the scheduler does: spec.nodeName belongs to no manager, and the pod's generation stays.
  void bind(const kube::Key& pod, const std::string& node);
  void remove(const kube::Resource& resource, const kube::Key& key);
  // What happened to an object, as an Event by the component that the user is.
  void record(const kube::Resource& resource, const kube::Object& object, const std::string& reason,
              const std::string& message, const std::string& type = "Normal");
  [[nodiscard]] EventRecorder* recorder() const { return recorder_; }
  void finish_removal(const kube::Resource& resource, const kube::Key& key);

 private:
  [[nodiscard]] Call call(const kube::Resource& resource, const kube::Key& key, const std::string& subresource) const;

  Committer& committer_;
  Deletes& deletes_;
  UserInfo user_;
  EventRecorder* recorder_;
};

// An owner reference with controller and blockOwnerDeletion.
[[nodiscard]] Tree controlled_by(const kube::Resource& resource, const kube::Object& owner);
// Sets a condition by its type; its transition time moves only when the status does.
void set_condition(Tree& status, Tree condition, const std::string& now);
// Sets an integer, or leaves it out when it is zero, as Kubernetes' types do.
void set_count(Tree& status, const char* name, std::int64_t count);
// "25%" of `whole`, or the number; 0 where there is nothing.
[[nodiscard]] std::int64_t share_of(const Tree* value, std::int64_t whole, bool rounds_up);

}  // namespace keelson::sandbox
