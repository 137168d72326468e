// An operator of an HTTP API: for each Stock, its status has the count of its item in a warehouse, which is polled.
#include "keelson/json/value.hpp"
#include "keelson/net/url_client.hpp"
#include "keelson/operator.hpp"
#include "keelson/program/operator.hpp"

using namespace keelson;
using namespace std::chrono_literals;

struct StockSpec {
  std::string item;
};
void describe(kube::Description& d, StockSpec& spec) {
  d.field("item", spec.item, "The name of the item in the warehouse.").required().min_length(1);
}

struct StockStatus {
  std::int64_t count = 0;
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;
};
void describe(kube::Description& d, StockStatus& status) {
  d.field("count", status.count, "Number of items in the warehouse.");
  d.field("observedGeneration", status.observed_generation, "Generation of the spec that this status is about.");
  d.field("conditions", status.conditions, "Ready; Reconciling while it holds.").list_map({"type"});
}

struct Stock : CustomResource<StockSpec, StockStatus> {
  static constexpr kube::Identity kIdentity{"shop.example.com", "v1", "Stock"};
};

// What the warehouse answered last: everything runs on one loop, so it needs no lock.
std::map<std::string, std::int64_t> counts;

Reconciled reconcile(const Stock& stock, Pass<Stock>& pass) {
  const auto found = counts.find(stock.spec.item);
  if (found == counts.end()) {
    pass.reconciling("NotFound", "The warehouse does not have the item.");
    co_return done();
  }
  pass.status().count = found->second;
  pass.ready("Counted", "The warehouse has the item.");
  co_return done();
}

// `url` answers {"bolt": 3, "nut": 5}.
Task<std::map<std::string, std::int64_t>> get_counts(net::UrlClient& http, std::string url) {
  net::UrlOptions options;
  options.timeout = 5s;
  KEELSON_CO_LET(const auto response, co_await http.get(std::move(url), std::move(options)));
  KEELSON_CO_TRY(net::check_status(response, "get the counts"));
  KEELSON_CO_LET(const auto document, json::Document::parse(response.body));
  std::map<std::string, std::int64_t> answer;
  for (const auto& [item, count] : document.root().members()) answer.emplace(item, count.integer().value_or(0));
  co_return answer;
}

// Each Stock is reconciled whose item has another count than before.
Task<void> poll(controller::Context& context, controller::Channel changed) {
  const auto url = context.flag<std::string>("warehouse-url") + "/counts";
  for (;; co_await async::sleep_for(context.clock, context.flag<std::chrono::nanoseconds>("poll-interval"))) {
    auto answer = co_await get_counts(context.http(), url);
    if (!answer) {
      context.log.error(answer.error(), "Failed to poll the warehouse; it is tried again");
      continue;
    }
    const auto before = std::exchange(counts, std::move(*answer));
    for (const auto& object : context.informer(kube::resource_of<Stock>()).list()) {
      KEELSON_CO_LET(const auto stock, controller::read<Stock>(object));
      const auto old = before.find(stock.spec.item);
      const auto now = counts.find(stock.spec.item);
      const bool is_same =
          (old == before.end()) == (now == counts.end()) && (old == before.end() || old->second == now->second);
      if (!is_same) changed.enqueue(stock.key(), "count changed");
    }
  }
}

int main(int argc, char** argv) {
  const controller::Channel changed;
  Operator warehouse("warehouse");
  warehouse.add(controller_for<Stock>(reconcile).channel(changed));
  warehouse.flag<std::string>("warehouse-url", "http://127.0.0.1:8000", "Where the warehouse answers.");
  warehouse.flag<std::chrono::nanoseconds>("poll-interval", 10s, "How often the warehouse is polled.");
  warehouse.runnable("poll", [changed](controller::Context& context) { return poll(context, changed); });
  return warehouse.run(argc, argv);
}
