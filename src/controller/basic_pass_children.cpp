// The writes of children, and the problems that the API server reports about them.
//
// Decision: docs/decisions/0004-retained-log-lines.md
#include <algorithm>
#include <cstdint>

#include "keelson/async/task_group.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/controller/pass.hpp"
#include "keelson/controller/rejection.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/controller/basic_pass.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/json/writer.hpp"
#include "src/controller/child.hpp"
#include "src/controller/child_policy.hpp"
#include "src/controller/conflict_policy.hpp"
#include "src/controller/consistent_read.hpp"
#include "src/controller/failure_policy.hpp"
#include "src/controller/field_conflict.hpp"
#include "src/controller/pass_work.hpp"
#include "src/controller/reconcile_observer.hpp"
#include "src/controller/settled_children.hpp"
#include "src/controller/write_metrics.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

constexpr std::string_view kCreateFailed = "CreateFailed";
constexpr std::string_view kUpdateFailed = "UpdateFailed";

// Identifies a child in the ConflictPolicy.
std::string child_id(const kube::Resource& resource, const kube::Key& key) {
  return resource.qualified_plural() + " " + key.text();
}

// The API server has an object of the name of a creation.
bool is_taken(const Error& error) { return kube::is_conflict(error) || kube::is_already_exists(error); }

Error applied_twice(const kube::Resource& resource, const kube::Key& key) {
  return invalid_error("apply_all: " + resource.kind + " " + key.text() + " is applied twice");
}

Error was_read(const kube::Resource& resource) {
  return invalid_error("apply " + resource.kind +
                       ": the object was read from the API server; build a new one with the fields to set");
}

Error without_namespace(const kube::Resource& resource, const std::string& name, const kube::Resource& owner) {
  return invalid_error("apply " + resource.kind + " " + name + ": set its namespace (metadata.ns): " + owner.kind +
                       "s have none");
}

}  // namespace

Result<std::string> BasicPass::Work::desired_of(const Untyped& child) const {
  const auto resource = child.identity.resource();
  if (child.was_read) return was_read(resource);
  if (child.annotations != nullptr) drop_requests(*child.annotations);
  if (resource.namespaced && child.ns.empty()) {
    child.ns = object.ns();
    if (child.ns.empty()) return without_namespace(resource, child.name, state.resource);
  }
  return kube::detail::object_text(child.identity, child.type, child.value, kube::detail::Parts::kWithoutStatus);
}

asio::awaitable<std::vector<Result<void>>> BasicPass::apply_untyped(std::vector<Untyped> children) {
  std::vector<Work::Apply> applies;
  applies.reserve(children.size());
  std::vector<Work::Apply*> updates;
  std::vector<Work::Apply*> creations;
  for (const auto& child : children) {
    auto& apply = applies.emplace_back(Work::Apply{child, work_->next_place++});
    work_->prepare(apply);
    const auto is_same = [&apply](const Work::Apply& other) {
      return &other != &apply && other.resource == apply.resource && other.key == apply.key && !other.key.name.empty();
    };
    if (std::ranges::any_of(applies, is_same)) apply.done = applied_twice(apply.resource, apply.key);
    if (!apply.done) (apply.current ? updates : creations).push_back(&apply);
  }
  // One after the other, because each may find that a newer spec supersedes the pass.
  for (auto* update : updates) co_await work_->send(*update);
  if (creations.size() == 1) co_await work_->send(*creations.front());
  if (creations.size() > 1) {
    auto send_all = [this, &creations](async::TaskGroup& group) -> asio::awaitable<void> {
      for (auto* creation : creations) group.spawn(work_->send(*creation));
      co_await group.drain();
    };
    co_await async::with_task_group(send_all);
  }
  std::vector<Result<void>> results;
  for (const auto& apply : applies) {
    const auto& [identity, type, value, ns, name, annotations, was_read] = apply.child;
    if (*apply.done) type.reset(value);
    results.push_back(*apply.done ? kube::detail::read_object(**apply.done, type, value) : apply.done->error());
  }
  co_return results;
}

Task<void> BasicPass::create_untyped(Untyped child, bool& is_new) {
  KEELSON_CO_LET(auto desired, work_->desired_of(child));
  auto resource = child.identity.resource();
  kube::Key key{child.ns, child.name};
  KEELSON_CO_LET(const auto created,
                 co_await work_->create(std::move(resource), std::move(key), std::move(desired), is_new));
  child.type.reset(child.value);
  co_return kube::detail::read_object(created, child.type, child.value);
}

void BasicPass::Work::check_not_pruned(const kube::Resource& resource, const kube::Key& key) {
  if (!pruned.contains(resource.qualified_plural())) return;
  const auto prune = "prune<" + resource.kind + ">()";
  const kube::Key placed(resource.namespaced && key.ns.empty() ? object.ns() : std::string_view(key.ns), key.name);
  auto text = resource.kind + " " + placed.text() + " is applied or created after " + prune +
              " in the same pass: " + prune +
              " deletes the children of this kind that the pass has not applied yet, so "
              "each pass would delete and create them. Call " +
              prune + " after all applies and creations of the kind.";
  state.early_prunes.insert_or_assign(resource.qualified_plural(), text);
  throw base::Misuse(text);
}

void BasicPass::Work::prepare(Apply& apply) {
  check_not_pruned(apply.resource, kube::Key(apply.child.ns, apply.child.name));
  auto desired = desired_of(apply.child);
  if (!desired) {
    apply.done = std::move(desired).error();
    return;
  }
  apply.desired = std::move(*desired);
  apply.key = kube::Key(apply.child.ns, apply.child.name);
  if (auto current = check_not_superseded(); !current) {
    apply.done = std::move(current).error();
    return;
  }
  wanted.emplace(apply.resource.qualified_plural(), apply.key);
  apply.current = pass.reading(apply.resource).get(apply.key);
  if (apply.current) compare(apply);
}

void BasicPass::Work::compare(Apply& apply) {
  const auto& current = *apply.current;
  if (is_controlled_by(current, object) && !current.deleting() && is_paused_child(apply.resource, current)) {
    apply.done = std::move(apply.current).value();
    return;
  }
  if (apply.is_live) return;
  apply.state = SettledChildren::state_of(object, current, apply.desired, pass.client.operator_name());
  if (!state.settled_children().contains(current, apply.state)) return;
  note_unchanged(apply.resource, apply.key);
  apply.done = std::move(apply.current).value();
}

void BasicPass::Work::refresh(Apply& apply) {
  auto current = state.context.informer(apply.resource).get(apply.key);
  if (current && current->same_block(*apply.current)) return;
  apply.current = std::move(current);
  if (apply.current) compare(apply);
}

asio::awaitable<void> BasicPass::Work::send(Apply& apply) {
  if (auto current = check_not_superseded(); !current) {
    apply.done = std::move(current).error();
    co_return;
  }
  if (apply.current && !apply.is_live) refresh(apply);
  if (apply.done) co_return;
  const auto& resource = apply.resource;
  const auto& key = apply.key;
  const bool creates = !apply.current;
  BeforeUpdate check = [this, &resource, &key](ChildUpdate update) {
    return may_update(resource, key, std::move(update));
  };
  auto child = co_await apply_child(pass.client, resource, state.resource, object, apply.desired,
                                    std::move(apply.current), std::move(check));
  if (!child && creates && is_taken(child.error())) {
    co_await send_to_existing(apply, std::move(child).error());
    co_return;
  }
  if (!child) {
    note_problem(resource, key, creates ? kCreateFailed : kUpdateFailed, child.error(), apply.place);
    apply.done = std::move(child).error();
    co_return;
  }
  if (child->outcome == Child::Outcome::kUnchanged) {
    note_unchanged(resource, key);
    if (apply.is_live) {
      state.context.cache.observe_write(resource, *child->object);
    } else if (!child->object->deleting()) {
      state.settled_children().add(*child->object, apply.state);
    }
  }
  if (child->outcome == Child::Outcome::kUpdated) state.conflicts().updated(child_id(resource, key));
  const bool is_leaving = child->object && child->object->deleting();
  if (child->outcome == Child::Outcome::kWaiting || is_leaving) {
    apply.done = child_is_deleting(resource, *child->object, apply.place);
    co_return;
  }
  if (child->outcome != Child::Outcome::kHeldBack) check_selected(resource, *child->object);
  if (child->was_written() && !pass.is_dry_run()) {
    const auto& kind = resource.kind;
    pass.log.info(
        child->outcome == Child::Outcome::kCreated ? "Creating a new " + kind + "." : "Updating the " + kind + ".",
        {{kind + ".Namespace", key.ns}, {kind + ".Name", key.name}});
  }
  apply.done = std::move(*child->object);
}

asio::awaitable<void> BasicPass::Work::send_to_existing(Apply& apply, Error taken) {
  auto live = co_await read_live(pass.client, apply.resource, apply.key);
  if (!live) {
    note_problem(apply.resource, apply.key, kCreateFailed, live.error(), apply.place);
    apply.done = std::move(live).error();
    co_return;
  }
  if (observer != nullptr) observer->note_read(apply.resource, ReconcileObserver::Read::kConsistent);
  // The object is gone now, or the conflict was about something else.
  if (!*live) {
    apply.done = std::move(taken);
    co_return;
  }
  apply.current = std::move(*live);
  apply.is_live = true;
  compare(apply);
  if (!apply.done) co_await send(apply);
}

const kube::Selector* BasicPass::Work::selector_of(const kube::Resource& resource) const {
  const auto* definition = state.context.definition;
  if (definition == nullptr) return nullptr;
  const auto& sources = definition->parts().sources;
  const auto is_it = [&](const Source& source) {
    return source.resource == resource && source.is_owned && !source.options.labels.empty();
  };
  const auto found = std::ranges::find_if(sources, is_it);
  return found == sources.end() ? nullptr : &found->options.labels;
}

void BasicPass::Work::check_selected(const kube::Resource& resource, const kube::Object& child) const {
  const auto* selector = selector_of(resource);
  if (selector == nullptr || selector->matches(child)) return;
  throw base::Misuse(resource.kind + " " + child.key().text() + " does not match the selector " + selector->text() +
                     " of owns<" + resource.kind +
                     ">(), so the cache does not have it and its changes start no "
                     "reconcile: set these labels in the desired state, or remove them from the selector.");
}

// A merge patch, because an apply of the labels alone would release the other fields of the child.
Task<kube::Object> BasicPass::Work::with_labels(kube::Resource resource, kube::Object child, std::string desired) {
  const auto* selector = selector_of(resource);
  if (selector == nullptr || selector->matches(child)) co_return child;
  KEELSON_CO_LET(const auto document, json::Document::parse(desired));
  const auto labels = document.root().at({"metadata", "labels"});
  if (labels.size() == 0) co_return child;
  json::Writer writer;
  writer.begin_object().key("metadata").begin_object().field("uid", child.uid());
  writer.field("labels", labels).end_object().end_object();
  co_return co_await kube::patch(pass.client, std::move(resource), child.key(), kube::PatchType::kMerge,
                                 std::move(writer).take());
}

Task<kube::Object> BasicPass::Work::create(kube::Resource resource, kube::Key key, std::string desired, bool& is_new) {
  check_not_pruned(resource, key);
  KEELSON_CO_TRY(check_not_superseded());
  const auto place = next_place++;
  wanted.emplace(resource.qualified_plural(), key);
  // If the kind is watched, a name that is taken costs no request.
  if (const auto informer = state.context.cache.find(resource)) {
    const auto current = (*informer)->get(key);
    if (current && is_controlled_by(*current, object)) co_return *current;
    if (current && is_leaving(state.resource, object, *current)) co_return child_is_deleting(resource, *current, place);
    if (current) {
      auto error = not_owned(resource, key, state.resource);
      note_problem(resource, key, kCreateFailed, error, place);
      co_return error;
    }
  }
  auto child = co_await create_child(pass.client, resource, state.resource, object, desired);
  const bool is_paused = child && child->object && is_paused_child(resource, *child->object);
  if (child && child->outcome == Child::Outcome::kUnchanged && !is_paused) {
    auto labelled = co_await with_labels(resource, *child->object, std::move(desired));
    if (labelled) {
      child->object = std::move(*labelled);
    } else {
      child = std::move(labelled).error();
    }
  }
  if (!child) {
    note_problem(resource, key, kCreateFailed, child.error(), place);
    co_return std::move(child).error();
  }
  if (child->outcome == Child::Outcome::kWaiting) co_return child_is_deleting(resource, *child->object, place);
  if (!is_paused) check_selected(resource, *child->object);
  is_new = child->outcome == Child::Outcome::kCreated;
  // The cache may not have a child that was created earlier.
  if (!is_new) state.context.cache.observe_write(resource, *child->object);
  co_return std::move(*child->object);
}

Task<void> BasicPass::remove_uid(kube::Resource resource, kube::Key key, std::string uid) {
  KEELSON_CO_TRY(work_->check_not_superseded());
  // Without a uid the request would delete any object of that name.
  if (uid.empty()) {
    co_return invalid_error("remove " + resource.kind + " " + key.text() + ": the object has no uid; read it first");
  }
  if (is_paused_child(resource, key)) co_return Result<void>();
  work_->state.conflicts().forget(child_id(resource, key));
  kube::DeleteOptions options;
  options.uid = std::move(uid);
  options.propagation = "Background";
  const auto place = work_->next_place++;
  auto removed = co_await kube::remove(client, resource, key, std::move(options));
  if (removed || kube::is_not_found(removed.error())) co_return Result<void>();
  work_->note_problem(resource, key, "DeleteFailed", removed.error(), place);
  co_return std::move(removed).error();
}

Task<void> BasicPass::prune_resource(kube::Resource resource) {
  const auto early = work_->state.early_prunes.find(resource.qualified_plural());
  if (early != work_->state.early_prunes.end()) throw base::Misuse(early->second);
  work_->pruned.insert(resource.qualified_plural());
  const auto leftovers = [&] {
    auto found = work_->controlled_by(resource, work_->state.resource.kind, object());
    std::erase_if(found, [&](const kube::Object& child) {
      return child.deleting() || work_->wanted.contains({resource.qualified_plural(), child.key()}) ||
             work_->is_paused_child(resource, child);
    });
    return found;
  };
  if (leftovers().empty()) co_return Result<void>();
  KEELSON_CO_TRY(co_await consistent_read_of(resource));
  std::vector<Error> errors;
  for (const auto& child : leftovers()) {
    auto removed = co_await remove_uid(resource, child.key(), std::string(child.uid()));
    if (!removed &&
        (removed.error().kind == Error::Kind::kSuperseded || removed.error().kind == Error::Kind::kFenced)) {
      co_return removed;
    }
    if (!removed) {
      errors.push_back(std::move(removed).error());
      continue;
    }
    if (is_dry_run()) continue;
    log.info("Deleting the " + resource.kind + ".",
             {{resource.kind + ".Namespace", child.key().ns}, {resource.kind + ".Name", child.key().name}});
  }
  if (errors.empty()) co_return Result<void>();
  co_return joined(std::move(errors));
}

// Called before a child is changed to the desired state: the former leader may have applied a newer spec.
Task<void> BasicPass::check_current() {
  KEELSON_CO_LET(const bool was_read, co_await work_->state.consistent_read().refresh(work_->state.resource, object()));
  if (was_read && work_->observer != nullptr) {
    work_->observer->note_read(work_->state.resource, ReconcileObserver::Read::kConsistent);
  }
  co_return work_->check_not_superseded();
}

Task<bool> BasicPass::Work::may_update(kube::Resource resource, kube::Key key, ChildUpdate update) {
  KEELSON_CO_TRY(co_await pass.check_current());
  // In a dry run the child stays as it is, which would look like another writer.
  if (pass.is_dry_run()) co_return true;
  auto& conflicts = state.conflicts();
  const auto child = child_id(resource, key);
  const auto decision = conflicts.before_update(child, update.hash, update.field, pass.clock.now());
  has_conflict_ended = has_conflict_ended || decision.has_ended;
  if (decision.has_ended) state.write_metrics().conflict_ended();
  if (decision.is_correction) state.write_metrics().corrected();
  if (!decision.wait) co_return true;
  state.write_metrics().held_back();
  // Without a report: a timeout has canceled the pass that should have created it.
  if (decision.is_new || conflicts.report_of(child).empty()) {
    const bool is_reported = pass.conditions_ != nullptr && own_conflict(*pass.conditions_) != nullptr;
    auto message = co_await conflict_message(pass.client, resource, key, std::move(update.field));
    pass.log.info("Another writer changes a child back, updating it less often",
                  {{resource.kind + ".Namespace", key.ns}, {resource.kind + ".Name", key.name}, {"conflict", message}});
    // Another replica may have reported it.
    if (!is_reported) pass.warning(std::string(kFieldConflict), message);
    state.write_metrics().conflict();
    conflicts.report(child, std::move(message));
  }
  note_contested(conflicts.report_of(child), *decision.wait);
  co_return false;
}

void BasicPass::Work::note_unchanged(const kube::Resource& resource, const kube::Key& key) {
  state.write_metrics().unchanged();
  const auto child = child_id(resource, key);
  const auto decision = state.conflicts().unchanged(child, pass.clock.now());
  if (decision.wait) note_contested(state.conflicts().report_of(child), *decision.wait);
  has_conflict_ended = has_conflict_ended || decision.has_ended;
  if (decision.has_ended) state.write_metrics().conflict_ended();
}

void BasicPass::Work::note_contested(const std::string& message, async::Duration retry_after) {
  if (!conflict) conflict = message;
  conflict_retry = std::min(conflict_retry.value_or(retry_after), retry_after);
}

// The map function of owns() leads from the deletion of a child of this object to the object.
Error BasicPass::Work::child_is_deleting(const kube::Resource& resource, const kube::Object& child, std::size_t place) {
  Error error(Error::Kind::kChildDeleting, resource.kind + " " + child.key().text() + " is being deleted.");
  if (observer != nullptr && !is_controlled_by(child, object)) observer->note_blocked(resource, child.key());
  report_problem({kube::Readiness::kReconciling, kChildDeleting, error.text}, place);
  return error;
}

void BasicPass::Work::note_problem(const kube::Resource& resource, const kube::Key& key, std::string_view reason,
                                   const Error& error, std::size_t place) {
  has_failed_write = has_failed_write || is_reportable(error);
  std::optional<ChildProblem> problem;
  if (error.kind == Error::Kind::kNotOwned) {
    problem = {kube::Readiness::kStalled, kNotOwned, error.text};
    if (observer != nullptr) observer->note_blocked(resource, key);
  } else if (pass.must_report(error)) {
    problem = {kube::Readiness::kStalled, std::string(reason),
               resource.kind + " " + key.text() + ": " + words_of(error)};
  }
  if (!problem) return;
  pass.warning(problem->reason, problem->message);
  report_problem(std::move(*problem), place);
}

// The first problem of a pass is reported, because those of later children may follow from it. Replies to writes that
// were sent at the same time have no order.
void BasicPass::Work::report_problem(ChildProblem problem, std::size_t place) {
  has_readiness = false;
  if (first_problem) {
    const bool is_earlier = problem.readiness == first_problem->readiness && place < problem_place;
    const bool is_worse =
        first_problem->readiness == kube::Readiness::kReconciling && problem.readiness != first_problem->readiness;
    if (!is_earlier && !is_worse) return;
  }
  first_problem = std::move(problem);
  problem_place = place;
}

}  // namespace keelson::controller
