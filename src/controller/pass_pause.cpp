// The part of a pass that respects the annotation `paused` of its object and of its children.
#include <algorithm>
#include <utility>

#include "keelson/detail/controller/basic_pass.hpp"
#include "src/controller/request_policy.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

bool BasicPass::is_paused_now() const {
  const auto now = state_.informer.get(object_.key());
  return now && now->uid() == object_.uid() && state_.pause_of(*now);
}

bool BasicPass::is_paused_child(const kube::Resource& resource, const kube::Key& key) {
  const auto is_paused_in = [&](const Result<cache::Informer*>& informer) {
    const auto found = informer ? (*informer)->get(key) : std::nullopt;
    return found && is_paused_child(resource, *found);
  };
  auto& cache = state_.context.cache;
  const auto only = cache.find(resource);
  if (only) return is_paused_in(only);
  if (resource == state_.resource && is_paused_in(&state_.informer)) return true;
  // If the kind has several informers, the object is in those whose selectors match it.
  const auto* definition = state_.context.definition;
  return definition != nullptr && std::ranges::any_of(definition->sources(), [&](const Source& source) {
           if (source.resource != resource) return false;
           return is_paused_in(cache.find(resource, cache::Selection{source.options.labels, source.options.fields}));
         });
}

bool BasicPass::is_paused_child(const kube::Resource& resource, const kube::Object& child) {
  auto pause = state_.pause_of(child);
  if (!pause) return false;
  const auto is_same = [&](const PausedChild& other) {
    return other.kind == resource.kind && other.key == child.key();
  };
  if (std::ranges::none_of(paused_, is_same)) paused_.push_back({resource.kind, child.key(), std::move(*pause)});
  return true;
}

// A pass that has failed may not have reached all of its children: it reports what it has found, but no end.
bool BasicPass::has_pause_to_report(const Result<Outcome>& outcome, bool is_reported) const {
  if (is_superseded()) return false;
  const bool was_reported = is_reported || state_.has_logged_children(object_.key());
  return outcome ? was_reported || !paused_.empty() : !was_reported && !paused_.empty();
}

Task<Outcome> BasicPass::report_paused(Result<Outcome> outcome) {
  // The status write of this pass has changed the object.
  auto now = state_.informer.get(object_.key());
  if (!now || now->uid() != object_.uid()) co_return outcome;
  auto reported = co_await state_.report_children(client, std::move(*now), std::move(paused_), log);
  if (!outcome || (reported && !reported->after())) co_return outcome;
  const bool is_later = reported && outcome->after() && *outcome->after() <= *reported->after();
  co_return is_later ? outcome : reported;
}

void BasicPass::drop_requests(std::map<std::string, std::string>& annotations) const {
  if (annotations.empty()) return;
  const RequestNames names(client.operator_name());
  annotations.erase(names.paused);
  annotations.erase(names.reconcile_at);
}

}  // namespace keelson::controller
