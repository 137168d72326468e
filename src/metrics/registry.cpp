#include "keelson/metrics/registry.hpp"

#include <prometheus/check_names.h>

#include <algorithm>
#include <map>
#include <variant>

#include "keelson/detail/base/assert.hpp"
#include "src/metrics/family_state.hpp"
#include "src/metrics/text.hpp"

namespace keelson::metrics {

namespace {

void read_cell(const auto& cell, Sample& sample) { sample.value = cell.Value(); }

void read_cell(const prometheus::Histogram& cell, Sample& sample) {
  const auto read = cell.Collect().histogram;
  sample.value = read.sample_sum;
  for (const auto& bucket : read.bucket) sample.buckets.emplace_back(bucket.upper_bound, bucket.cumulative_count);
}

}  // namespace

struct Registry::State {
  using AnyFamily =
      std::variant<std::unique_ptr<CounterFamily>, std::unique_ptr<GaugeFamily>, std::unique_ptr<HistogramFamily>>;

  // A map, because families are written in the order of their names.
  std::map<std::string, AnyFamily, std::less<>> families;
  std::vector<std::weak_ptr<std::function<void()>>> hooks;

  void forget_dead_hooks() {
    std::erase_if(hooks, [](const auto& hook) { return hook.expired(); });
  }

  template <class Child>
  Family<Child>& family(std::string_view name, std::string_view help, std::vector<std::string> label_names,
                        std::vector<double> buckets);
};

Registry::Registry() : state_(std::make_unique<State>()) {}

Registry::~Registry() {
  state_->forget_dead_hooks();
  KEELSON_ASSERT(state_->hooks.empty());
}

CounterFamily& Registry::counter(std::string_view name, std::string_view help, std::vector<std::string> label_names) {
  return state_->family<Counter>(name, help, std::move(label_names), {});
}

GaugeFamily& Registry::gauge(std::string_view name, std::string_view help, std::vector<std::string> label_names) {
  return state_->family<Gauge>(name, help, std::move(label_names), {});
}

HistogramFamily& Registry::histogram(std::string_view name, std::string_view help, std::vector<std::string> label_names,
                                     std::vector<double> buckets) {
  bool ascending = std::ranges::adjacent_find(buckets, std::greater_equal<>()) == buckets.end();
  KEELSON_ASSERT(!buckets.empty() && ascending);
  return state_->family<Histogram>(name, help, std::move(label_names), std::move(buckets));
}

ScrapeHook Registry::on_scrape(std::function<void()> run) {
  state_->forget_dead_hooks();
  auto shared = std::make_shared<std::function<void()>>(std::move(run));
  state_->hooks.push_back(shared);
  return ScrapeHook(std::move(shared));
}

std::string Registry::text() {
  // A hook may create or destroy hooks, so this iterates over a copy.
  auto hooks = state_->hooks;
  for (const auto& hook : hooks) {
    if (auto run = hook.lock()) (*run)();
  }
  std::string out;
  for (const auto& [name, any] : state_->families) {
    auto collected = std::visit([](const auto& family) { return family->state_->cells.Collect(); }, any);
    for (auto& family : collected) append_family_text(out, std::move(family));
  }
  return out;
}

std::vector<Sample> Registry::samples(std::string_view name) const {
  std::vector<Sample> all;
  const auto found = state_->families.find(name);
  if (found == state_->families.end()) return all;
  auto add = [&all](const auto& family) {
    for (const auto& [labels, member] : family->state_->members) {
      all.push_back({labels});
      read_cell(*member.cell, all.back());
    }
  };
  std::visit(add, found->second);
  return all;
}

std::vector<FamilyFacts> Registry::families() const {
  std::vector<FamilyFacts> all;
  for (const auto& [name, any] : state_->families) {
    auto describe = [&name = name]<class Child>(const std::unique_ptr<Family<Child>>& family) {
      return FamilyFacts{name, family->state_->help, CellOf<Child>::kName, family->state_->label_names};
    };
    all.push_back(std::visit(describe, any));
  }
  return all;
}

template <class Child>
Family<Child>& Registry::State::family(std::string_view name, std::string_view help,
                                       std::vector<std::string> label_names, std::vector<double> buckets) {
  auto found = families.find(name);
  if (found == families.end()) {
    KEELSON_ASSERT(prometheus::CheckMetricName(std::string(name)));
    KEELSON_ASSERT(std::ranges::all_of(label_names, prometheus::CheckLabelName));
    auto state = std::make_unique<typename Family<Child>::State>(std::string(name), std::string(help),
                                                                 std::move(label_names), std::move(buckets));
    auto made = std::make_unique<Family<Child>>(std::move(state));
    found = families.emplace(name, std::move(made)).first;
    return **std::get_if<std::unique_ptr<Family<Child>>>(&found->second);
  }
  auto* existing = std::get_if<std::unique_ptr<Family<Child>>>(&found->second);
  KEELSON_ASSERT(existing != nullptr);
  KEELSON_ASSERT((*existing)->state_->label_names == label_names && (*existing)->state_->buckets == buckets);
  return **existing;
}

}  // namespace keelson::metrics
