// The state of a pass, and the writes of its children, which authors do not see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/detail/controller/basic_pass.hpp"
#include "keelson/detail/controller/pass_state.hpp"

namespace keelson::controller {

struct ChildUpdate;

struct BasicPass::Work {
  // An apply of one child in progress.
  struct Apply {
    const Untyped& child;
    std::size_t place;
    kube::Resource resource = child.identity.resource();
    kube::Key key = {};
    std::string desired = {};
    std::optional<kube::Object> current = {};
    bool is_live = false;     // `current` is not from the cache
    std::uint64_t state = 0;  // of SettledChildren, if the cache has a current object
    std::optional<Result<kube::Object>> done = {};
  };

  // The JSON of a child, after the call has set its namespace; an Error for a child that cannot be applied.
  [[nodiscard]] Result<std::string> desired_of(const Untyped& child) const;
  // Throws base::Misuse if this pass has pruned the kind already.
  void check_not_pruned(const kube::Resource& resource, const kube::Key& key);
  // Throws base::Misuse if the selector of owns() hides the stored child from the cache.
  void check_selected(const kube::Resource& resource, const kube::Object& child) const;
  // Null: the definition selects no labels of this kind.
  [[nodiscard]] const kube::Selector* selector_of(const kube::Resource& resource) const;
  // Gives a child that the selector of owns() hides the labels of its desired state.
  [[nodiscard]] Task<kube::Object> with_labels(kube::Resource resource, kube::Object child, std::string desired);
  // Decides with the cache whether a write may be needed. Otherwise it sets the result.
  void prepare(Apply& apply);
  // The same for a child that exists.
  void compare(Apply& apply);
  // Reads the child from the cache again, which may have changed while earlier children were sent: an owner that is
  // noted as blocked by an object whose deletion has been observed would not be queued.
  void refresh(Apply& apply);
  [[nodiscard]] boost::asio::awaitable<void> send(Apply& apply);
  // The cache has no object of that name, but the API server has: the selector of owns() hides it, or the cache is
  // stale.
  [[nodiscard]] boost::asio::awaitable<void> send_to_existing(Apply& apply, Error taken);
  [[nodiscard]] Task<kube::Object> create(kube::Resource resource, kube::Key key, std::string desired, bool& is_new);
  // Called before the update of a child: false if it is held back, because another writer changes it back each time.
  [[nodiscard]] Task<bool> may_update(kube::Resource resource, kube::Key key, ChildUpdate update);
  // Ends a conflict about a child that has its desired state for long enough.
  void note_unchanged(const kube::Resource& resource, const kube::Key& key);
  void note_contested(const std::string& message, async::Duration retry_after);
  // Fails if the pass is superseded, by the cache only.
  [[nodiscard]] Result<void> check_not_superseded() const;
  // Objects whose controller reference has the uid, kind and name of `owner`: a uid alone proves nothing, because any
  // user can write it into their own objects.
  [[nodiscard]] std::vector<kube::Object> controlled_by(const kube::Resource& resource, std::string_view owner_kind,
                                                        const kube::Object& owner) const;
  // Note the problem of a child, for the conditions at the end of the pass. `place` is from next_place.
  [[nodiscard]] Error child_is_deleting(const kube::Resource& resource, const kube::Object& child, std::size_t place);
  void note_problem(const kube::Resource& resource, const kube::Key& key, std::string_view reason, const Error& error,
                    std::size_t place);
  void report_problem(ChildProblem problem, std::size_t place);
  // The failures of this object have lasted so long that its status reports them.
  [[nodiscard]] bool is_persistent() const;
  // Removes the annotations with which users pause and reconcile an object: they are not for its children.
  void drop_requests(std::map<std::string, std::string>& annotations) const;
  // True for a child that was read and has the annotation. It remembers the child for report_paused().
  [[nodiscard]] bool is_paused_child(const kube::Resource& resource, const kube::Object& child);

  BasicPass& pass;
  PassState& state;
  kube::Object object;
  ReconcileObserver* observer;  // null: nothing is observed
  std::optional<ChildProblem> first_problem = {};
  std::size_t problem_place = 0;
  std::size_t next_place = 0;                               // numbers applies and creations in the order of their calls
  std::vector<PausedChild> paused = {};                     // children that this pass left alone
  std::set<std::pair<std::string, kube::Key>> wanted = {};  // "deployments.apps" and the key of each child
  std::set<std::string> pruned = {};                        // "deployments.apps"
  std::optional<std::string> conflict = {};                 // of the first contested child
  std::optional<async::Duration> conflict_retry = {};  // the delay until the first contested child is observed again
  bool has_conflict_ended = false;
  bool has_readiness = false;
  bool has_failed_write = false;  // of a child or of the status
  bool is_urgent = false;
  bool was_superseded = false;  // set when the Error is created, even if the function ignores the Error
};

}  // namespace keelson::controller
