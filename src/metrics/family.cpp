#include "keelson/metrics/registry.hpp"

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "src/metrics/family_state.hpp"

namespace keelson::metrics {

namespace {

constexpr const char* kOverflow = "exceeded_cardinality_limit";

// Prometheus rejects a whole scrape for a single invalid byte in a label.
std::vector<std::string> to_key(std::initializer_list<std::string_view> label_values) {
  std::vector<std::string> key;
  key.reserve(label_values.size());
  for (auto value : label_values) key.push_back(base::to_valid_utf8(value));
  return key;
}

template <class State>
auto& make_cell(State& state, const std::vector<std::string>& key) {
  prometheus::Labels labels;
  for (std::size_t i = 0; i < key.size(); ++i) labels.emplace(state.label_names[i], key[i]);
  if constexpr (std::is_same_v<typename State::Cell, prometheus::Histogram>) {
    return state.cells.Add(labels, state.buckets);
  } else {
    return state.cells.Add(labels);
  }
}

}  // namespace

template <class Child>
Family<Child>::Family(std::unique_ptr<State> state) : state_(std::move(state)) {}

template <class Child>
Family<Child>::~Family() = default;

template <class Child>
Child& Family<Child>::with(std::initializer_list<std::string_view> label_values) {
  auto key = to_key(label_values);
  KEELSON_ASSERT(key.size() == state_->label_names.size());
  auto& members = state_->members;
  auto found = members.find(key);
  if (found == members.end() && members.size() >= limits::kLabelSetsPerFamily) {
    key.assign(key.size(), kOverflow);
    found = members.find(key);
  }
  if (found == members.end()) found = members.try_emplace(key, make_cell(*state_, key)).first;
  return found->second.child;
}

template <class Child>
void Family<Child>::remove(std::initializer_list<std::string_view> label_values) {
  auto found = state_->members.find(to_key(label_values));
  if (found == state_->members.end()) return;
  state_->cells.Remove(found->second.cell);
  state_->members.erase(found);
}

template class Family<Counter>;
template class Family<Gauge>;
template class Family<Histogram>;

void Counter::increment(double amount) {
  KEELSON_ASSERT(amount >= 0);
  cell_.Increment(amount);
}

void Counter::advance_to(double total) {
  // The loop runs twice, because the first sum may be wrong in its last bit, and the second difference is exact.
  for (int i = 0; i < 2; ++i) cell_.Increment(total - cell_.Value());
}

double Counter::value() const { return cell_.Value(); }

void Gauge::set(double value) { cell_.Set(value); }
void Gauge::add(double amount) { cell_.Increment(amount); }
double Gauge::value() const { return cell_.Value(); }

void Histogram::observe(double value) { cell_.Observe(value); }
void Histogram::add(const std::vector<double>& counts, double sum) { cell_.ObserveMultiple(counts, sum); }

}  // namespace keelson::metrics
