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

bool is_settled(const std::vector<kube::Condition>& conditions) {
  const auto holds = [&](std::string_view type) {
    const auto* condition = kube::find_condition(conditions, type);
    return condition != nullptr && condition->status == "True";
  };
  return holds("Ready") || holds("Stalled");
}

}  // namespace keelson::controller::detail
