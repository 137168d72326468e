#include "src/sandbox/admission/amounts.hpp"

#include <algorithm>
#include <limits>

namespace keelson::sandbox {

namespace {

constexpr std::int64_t kThousand = 1000;

void raise_amounts(Amounts& most, const Amounts& other) {
  for (const auto& [name, amount] : other) {
    const auto [place, is_new] = most.emplace(name, amount);
    if (!is_new && amount.milli > place->second.milli) place->second = amount;
  }
}

}  // namespace

std::int64_t limited_sum(std::int64_t one, std::int64_t two) {
  using Limits = std::numeric_limits<std::int64_t>;
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(one, two, &sum)) return sum;
  return one > 0 ? Limits::max() : Limits::min();
}

std::string Amount::text() const {
  if (milli % kThousand == 0) return kube::Quantity(milli / kThousand, format).text();
  const auto quantity = kube::Quantity::parse(std::to_string(milli) + "m");
  return quantity ? quantity->text() : std::string();
}

Amounts amounts_in(const Tree* list) {
  Amounts amounts;
  if (list == nullptr) return amounts;
  for (const auto& [name, value] : list->members()) {
    const auto quantity = kube::Quantity::parse(value.scalar());
    if (quantity) amounts[name] = {quantity->milli_value(), quantity->format()};
  }
  return amounts;
}

void add_amounts(Amounts& sum, const Amounts& more) {
  for (const auto& [name, amount] : more) {
    auto& place = sum[name];
    if (place.milli == 0) place.format = amount.format;
    place.milli = limited_sum(place.milli, amount.milli);
  }
}

std::string printed_amounts(const Amounts& amounts, const Amounts& names) {
  std::string text;
  for (const auto& [name, unused] : names) {
    const auto found = amounts.find(name);
    const auto amount = found != amounts.end() ? found->second : Amount();
    text += (text.empty() ? "" : ",") + name + "=" + amount.text();
  }
  return text;
}

Amounts pod_amounts(const Tree& pod_spec, const char* list) {
  Amounts sum;
  for (const auto& container : pod_spec.items_at({"containers"})) {
    add_amounts(sum, amounts_in(container.at({"resources", list})));
  }
  Amounts sidecars;
  Amounts most;  // while an init container runs
  for (const auto& container : pod_spec.items_at({"initContainers"})) {
    const auto own = amounts_in(container.at({"resources", list}));
    const bool is_sidecar = container.text_at({"restartPolicy"}) == "Always";
    if (is_sidecar) add_amounts(sidecars, own);
    auto now = sidecars;
    if (!is_sidecar) add_amounts(now, own);
    raise_amounts(most, now);
  }
  add_amounts(sum, sidecars);
  raise_amounts(sum, most);
  for (const auto& [name, amount] : amounts_in(pod_spec.at({"resources", list}))) sum[name] = amount;
  const auto overhead = amounts_in(pod_spec.find("overhead"));
  for (const auto& [name, amount] : overhead) {
    if (std::string_view(list) == "requests" || sum.contains(name)) add_amounts(sum, {{name, amount}});
  }
  return sum;
}

}  // namespace keelson::sandbox
