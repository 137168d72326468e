#include "keelson/controller/controller_for.hpp"

namespace keelson::controller::detail {

Reconciled PassEnd::end(kube::Object object, Result<Outcome> outcome, std::optional<std::string> status,
                        StatusWriter::Urgency urgency) {
  if (!status) {
    writer_.forget(object.key());
    co_return outcome;
  }
  auto written = co_await writer_.write(std::move(object), std::move(*status), urgency);
  // The next try after the function's error writes the status too, but there is none after a terminal error.
  const bool is_last = !outcome && outcome.error().kind == Error::Kind::kTerminal;
  if (!outcome && (written || !is_last)) co_return std::move(outcome).error();
  if (!written) co_return std::move(written).error();
  const bool is_sooner = written->after() && (!outcome->after() || *written->after() < *outcome->after());
  co_return is_sooner ? *written : *outcome;
}

Reconciled PassEnd::add_finalizer(kube::Object object, std::string name) {
  const auto patch = add_finalizer_patch(object, name);
  auto added = co_await kube::patch(client_, resource_, object.key(), kube::PatchType::kJson, *patch);
  if (!added) co_return std::move(added).error();
  co_return Outcome::done();
}

Reconciled PassEnd::remove_finalizer(kube::Object object, std::string name) {
  writer_.forget(object.key());
  const auto patch = remove_finalizer_patch(object, name);
  auto removed = co_await kube::patch(client_, resource_, object.key(), kube::PatchType::kJson, *patch);
  if (!removed && !kube::is_not_found(removed.error())) co_return std::move(removed).error();
  co_return Outcome::done();
}

bool is_settled(const std::vector<kube::Condition>& conditions) {
  const auto holds = [&](std::string_view type) {
    const auto* condition = kube::find_condition(conditions, type);
    return condition != nullptr && condition->status == "True";
  };
  return holds("Ready") || holds("Stalled");
}

}  // namespace keelson::controller::detail
