// The part of a pass that respects the annotation `paused` of its object and of its children.
#include <algorithm>
#include <utility>

#include "keelson/detail/controller/basic_pass.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "src/controller/pass_work.hpp"
#include "src/controller/request_policy.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

bool BasicPass::is_superseded() const {
  if (work_->was_superseded) return true;
  const auto now = work_->state.informer.get(object().key());
  return now && now->uid() == object().uid() && work_->state.pause_of(*now);
}

bool BasicPass::is_paused_child(const kube::Resource& resource, const kube::Key& key) {
  const auto is_paused_in = [&](const Result<cache::Informer*>& informer) {
    const auto found = informer ? (*informer)->get(key) : std::nullopt;
    return found && work_->is_paused_child(resource, *found);
  };
  auto& cache = work_->state.context.cache;
  const auto only = cache.find(resource);
  if (only) return is_paused_in(only);
  if (resource == work_->state.resource && is_paused_in(&work_->state.informer)) return true;
  // If the kind has several informers, the object is in those whose selectors match it.
  const auto* definition = work_->state.context.definition;
  return definition != nullptr && std::ranges::any_of(definition->parts().sources, [&](const Source& source) {
           if (source.resource != resource) return false;
           return is_paused_in(cache.find(resource, cache::Selection{source.options.labels, source.options.fields}));
         });
}

bool BasicPass::Work::is_paused_child(const kube::Resource& resource, const kube::Object& child) {
  auto pause = state.pause_of(child);
  if (!pause) return false;
  const auto is_same = [&](const PausedChild& other) {
    return other.kind == resource.kind && other.key == child.key();
  };
  if (std::ranges::none_of(paused, is_same)) paused.push_back({resource.kind, child.key(), std::move(*pause)});
  return true;
}

// A pass that has failed may not have reached all of its children: it reports what it has found, but no end.
bool BasicPass::has_pause_to_report(const Result<Outcome>& outcome, bool is_reported) const {
  if (is_superseded()) return false;
  const bool was_reported = is_reported || work_->state.has_logged_children(object().key());
  return outcome ? was_reported || !work_->paused.empty() : !was_reported && !work_->paused.empty();
}

Task<Outcome> BasicPass::report_paused(Result<Outcome> outcome) {
  // The status write of this pass has changed the object.
  auto now = work_->state.informer.get(object().key());
  if (!now || now->uid() != object().uid()) co_return outcome;
  auto reported = co_await work_->state.report_children(client, std::move(*now), std::move(work_->paused), log);
  if (!outcome || (reported && !reported->after())) co_return outcome;
  const bool is_later = reported && outcome->after() && *outcome->after() <= *reported->after();
  co_return is_later ? outcome : reported;
}

void BasicPass::Work::drop_requests(std::map<std::string, std::string>& annotations) const {
  if (annotations.empty()) return;
  const RequestNames names(pass.client.operator_name());
  annotations.erase(names.paused);
  annotations.erase(names.reconcile_at);
}

}  // namespace keelson::controller
