#include "keelson/metrics/registry.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using keelson::metrics::Registry;
using keelson::metrics::ScrapeHook;

TEST_CASE("an empty registry writes nothing") {
  Registry registry;

  CHECK(registry.text().empty());
}

TEST_CASE("families are ordered by name and children by label values, as in Go") {
  Registry registry;
  auto& total = registry.counter("b_total", "Second.", {"result", "controller"});
  total.with({"success", "z"}).increment();
  total.with({"error", "z"}).increment(2);
  total.with({"success", "a"}).increment(1234567);
  registry.gauge("a_depth", "First.", {}).with({}).set(-0.5);
  registry.gauge("c_without_children", "Never seen.", {"name"});

  CHECK(registry.text() ==
        "# HELP a_depth First.\n"
        "# TYPE a_depth gauge\n"
        "a_depth -0.5\n"
        "# HELP b_total Second.\n"
        "# TYPE b_total counter\n"
        "b_total{controller=\"a\",result=\"success\"} 1.234567e+06\n"
        "b_total{controller=\"z\",result=\"error\"} 2\n"
        "b_total{controller=\"z\",result=\"success\"} 1\n");
}

TEST_CASE("a histogram has cumulative buckets, a sum and a count, and le is the last label") {
  Registry registry;
  auto& seconds = registry.histogram("h_seconds", "Time.", {"name"}, {0.1, 1}).with({"q"});
  seconds.observe(0.1);
  seconds.observe(0.5);
  seconds.observe(7);

  CHECK(registry.text() ==
        "# HELP h_seconds Time.\n"
        "# TYPE h_seconds histogram\n"
        "h_seconds_bucket{name=\"q\",le=\"0.1\"} 1\n"
        "h_seconds_bucket{name=\"q\",le=\"1\"} 2\n"
        "h_seconds_bucket{name=\"q\",le=\"+Inf\"} 3\n"
        "h_seconds_sum{name=\"q\"} 7.6\n"
        "h_seconds_count{name=\"q\"} 3\n");
}

TEST_CASE("a histogram without labels has only le") {
  Registry registry;
  registry.histogram("h", "", {}, {1}).with({}).observe(2);

  CHECK(registry.text() ==
        "# HELP h \n# TYPE h histogram\nh_bucket{le=\"1\"} 0\nh_bucket{le=\"+Inf\"} 1\nh_sum 2\nh_count 1\n");
}

TEST_CASE("families() lists the families by name, with or without children") {
  Registry registry;
  registry.histogram("h_seconds", "Time.", {"name"}, {1}).with({"q"}).observe(2);
  registry.counter("c_total", "Count.", {"result", "controller"});
  registry.gauge("g", "Level.", {}).with({}).set(1);

  auto families = registry.families();

  REQUIRE(families.size() == 3);
  CHECK(families[0].name == "c_total");
  CHECK(families[0].help == "Count.");
  CHECK(families[0].type == "counter");
  CHECK(families[0].label_names == std::vector<std::string>{"result", "controller"});
  CHECK(families[1].type == "gauge");
  CHECK(families[1].label_names.empty());
  CHECK(families[2].type == "histogram");
  CHECK(families[2].label_names == std::vector<std::string>{"name"});
}

TEST_CASE("help and label values are escaped, and invalid UTF-8 is replaced") {
  Registry registry;
  registry.gauge("g", "a \"b\" \\ \n", {"l"}).with({"a \"b\" \\ \n\xff"}).set(1);

  CHECK(registry.text() == "# HELP g a \"b\" \\\\ \\n\n# TYPE g gauge\ng{l=\"a \\\"b\\\" \\\\ \\n\ufffd\"} 1\n");
}

TEST_CASE("the same names and values give the same family and the same child") {
  Registry registry;
  auto& first = registry.counter("c_total", "Help.", {"name"});
  auto& child = first.with({"a"});

  CHECK(&registry.counter("c_total", "Help.", {"name"}) == &first);
  CHECK(&first.with({"a"}) == &child);
  CHECK(&first.with({"b"}) != &child);
}

TEST_CASE("a child does not move when others are added and removed") {
  Registry registry;
  auto& family = registry.counter("c_total", "", {"name"});
  auto& child = family.with({"kept"});

  for (int i = 0; i < 200; ++i) family.with({std::to_string(i)}).increment();
  for (int i = 0; i < 200; ++i) family.remove({std::to_string(i)});
  child.increment();

  CHECK(registry.text() == "# HELP c_total \n# TYPE c_total counter\nc_total{name=\"kept\"} 1\n");
}

TEST_CASE("a removed series is not exported, and starts at zero when it is created again") {
  Registry registry;
  auto& family = registry.gauge("g", "", {"name"});
  family.with({"a"}).set(7);

  family.remove({"a"});
  family.remove({"never there"});

  CHECK(registry.text().empty());
  CHECK(family.with({"a"}).value() == 0);
}

TEST_CASE("label sets beyond the limit share one child") {
  Registry registry;
  auto& family = registry.counter("c_total", "", {"a", "b"});
  for (std::size_t i = 0; i < keelson::limits::kLabelSetsPerFamily; ++i) {
    family.with({std::to_string(i), ""}).increment();
  }

  auto& over = family.with({"one", "more"});
  over.increment();
  family.with({"and", "another"}).increment();

  CHECK(&family.with({"third", "one"}) == &over);
  CHECK(over.value() == 2);
  CHECK(registry.text().find("c_total{a=\"exceeded_cardinality_limit\",b=\"exceeded_cardinality_limit\"} 2\n") !=
        std::string::npos);
  CHECK(family.with({"0", ""}).value() == 1);
}

TEST_CASE("gauges increase and decrease, and counters only increase") {
  Registry registry;
  auto& gauge = registry.gauge("g", "", {}).with({});
  auto& counter = registry.counter("c_total", "", {}).with({});

  gauge.set(5);
  gauge.add(-7.5);
  counter.increment(0.5);
  counter.increment();

  CHECK(gauge.value() == -2.5);
  CHECK(counter.value() == 1.5);
}

TEST_CASE("a counter equals a total that is counted elsewhere, and never decreases") {
  Registry registry;
  auto& counter = registry.counter("c_total", "", {}).with({});

  for (int ticks = 1; ticks <= 1000; ++ticks) {
    counter.advance_to(ticks / 100.0);
    CHECK(counter.value() == ticks / 100.0);
  }
  counter.advance_to(3);

  CHECK(counter.value() == 10);
}

TEST_CASE("hooks run before each scrape until their handle is destroyed") {
  Registry registry;
  auto& gauge = registry.gauge("g", "", {}).with({});
  ScrapeHook hook = registry.on_scrape([&] { gauge.add(1); });

  CHECK(registry.text().ends_with("g 1\n"));
  CHECK(registry.text().ends_with("g 2\n"));
  hook = ScrapeHook();

  CHECK(registry.text().ends_with("g 2\n"));
}

TEST_CASE("a hook may register another one") {
  Registry registry;
  auto& gauge = registry.gauge("g", "", {}).with({});
  ScrapeHook inner;
  ScrapeHook outer = registry.on_scrape([&] {
    for (int i = 0; i < 100; ++i) inner = registry.on_scrape([&] { gauge.add(10); });
    gauge.add(1);
  });

  (void)registry.text();
  (void)registry.text();

  CHECK(gauge.value() >= 2);
}

TEST_CASE("samples are the values of a family, in the order of their labels") {
  Registry registry;
  auto& total = registry.counter("b_total", "Second.", {"controller", "result"});
  total.with({"z", "success"}).increment();
  total.with({"a", "error"}).increment(2);
  registry.gauge("a_depth", "First.", {}).with({}).set(-0.5);

  const auto samples = registry.samples("b_total");
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].labels == std::vector<std::string>{"a", "error"});
  CHECK(samples[0].value == 2);
  CHECK(samples[1].labels == std::vector<std::string>{"z", "success"});
  CHECK(registry.samples("a_depth").front().value == -0.5);
  CHECK(registry.samples("unknown").empty());
}

TEST_CASE("a sample of a histogram has its sum and its cumulative buckets") {
  Registry registry;
  auto& seconds = registry.histogram("h_seconds", "Time.", {"name"}, {0.5, 1}).with({"q"});
  for (const double value : {0.25, 0.75, 2.0}) seconds.observe(value);

  const auto samples = registry.samples("h_seconds");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].value == 3);
  REQUIRE(samples[0].buckets.size() == 3);
  CHECK(samples[0].buckets[0] == std::pair(0.5, std::uint64_t{1}));
  CHECK(samples[0].buckets[1] == std::pair(1.0, std::uint64_t{2}));
  CHECK(samples[0].buckets[2].second == 3);
}
