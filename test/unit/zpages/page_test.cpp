#include "keelson/detail/zpages/page.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/support/text_parts.hpp"

namespace keelson::zpages {
namespace {

using testing::contains;
using testing::occurrences;

constexpr const char* kScript = "<script>alert('a & \"b\"')</script>";
constexpr const char* kEscaped = "&lt;script&gt;alert(&#39;a &amp; &quot;b&quot;&#39;)&lt;/script&gt;";

Page page_with_rows(std::size_t rows) {
  Page page{.title = "statusz", .program = "manager"};
  Table table{.title = "Keys", .columns = {{"Key"}, {"Count", true}}, .rows = {}};
  for (std::size_t row = 0; row < rows; ++row) table.rows.push_back({{"default/a"}, {std::to_string(row)}});
  page.sections.push_back({.title = "Queues", .tables = {std::move(table)}});
  return page;
}

TEST_CASE("every text of an HTML page is escaped") {
  Page page{.title = kScript, .program = kScript, .badge = kScript};
  page.facts = {{kScript, kScript}};
  page.links = {kScript};
  page.charts = {{kScript, kScript, kScript, {1, 2}}};
  page.period = kScript;
  page.sections = {
      {.title = kScript,
       .facts = {{kScript, kScript}},
       .tables = {{.title = kScript, .columns = {{kScript}}, .rows = {{{kScript, Tone::kPlain, {}, kScript}}}},
                  {.columns = {{kScript}}, .rows = {}, .when_empty = kScript}}}};

  const auto html = html_of(page);

  CHECK_FALSE(contains(html, "<script"));
  CHECK_FALSE(contains(html, "'a"));
  CHECK(occurrences(html, kEscaped) == 22);
}

TEST_CASE("control characters and invalid UTF-8 become replacement characters") {
  CHECK(escape_html("a\x01"
                    "b") ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(escape_html("a\xFF"
                    "b") ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(escape_html("a\nb\tc") == "a b c");
  CHECK(escape_html("äµ") == "äµ");
}

TEST_CASE("an HTML page loads nothing and has no scripts") {
  auto page = page_with_rows(2);
  page.charts = {{"Depth", "1", "2", {1, 2}}};

  const auto html = html_of(page);

  CHECK(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"));
  CHECK(html.ends_with("</body></html>\n"));
  for (const auto* loaded : {"src=", "url(", "@import", "http://", "https://", "<link", "javascript:"}) {
    INFO(loaded);
    CHECK_FALSE(contains(html, loaded));
  }
}

TEST_CASE("each cell has the name of its column for phones, and a link if it has one") {
  Page page{.title = "statusz", .program = "manager"};
  page.sections = {{.title = "Keys",
                    .tables = {{.columns = {{"Key"}, {"Count", true}},
                                .rows = {{{"default/a", Tone::kBad, {}, "/debug/objects?name=a"}, {"7"}}}}}}};

  const auto html = html_of(page);

  CHECK(contains(html, "<td class=\"bad\" data-c=\"Key\"><a href=\"/debug/objects?name=a\">default/a</a></td>"));
  CHECK(contains(html, "<td class=\"n\" data-c=\"Count\">7</td>"));
  // Plain text has no links.
  CHECK_FALSE(contains(plain_text_of(page), "/debug/objects"));
}

TEST_CASE("a chart is a line whose newest point is at the right edge and whose greatest value is at the top") {
  Page page{.title = "statusz", .program = "manager"};
  page.charts = {{"Depth", "5", "10", {0, 10, 5}}};

  const auto html = html_of(page);

  CHECK(contains(html, "<path class=\"line\" d=\"M228 44L232 2L236 23\"/>"));
  CHECK(contains(html, "<path class=\"area\" d=\"M228 44L232 2L236 23L236 44L228 44Z\"/>"));
}

TEST_CASE("a chart without two points, and one of zeros, has no invalid coordinates") {
  Page page{.title = "statusz", .program = "manager"};
  page.charts = {{"Depth", "0", "0", {}}, {"Rate", "1", "1", {1}}, {"Lag", "0", "0", {0, 0}}};

  const auto html = html_of(page);

  CHECK(occurrences(html, "<svg") == 3);
  CHECK(occurrences(html, "class=\"line\"") == 1);
  CHECK(contains(html, "M232 44L236 44"));
  CHECK_FALSE(contains(html, "nan"));
}

TEST_CASE("a table has a limited number of rows in both formats, and says how many are missing") {
  const auto page = page_with_rows(limits::kPageRows + 7);

  const auto html = html_of(page);
  const auto text = plain_text_of(page);

  CHECK(occurrences(html, "<tr>") == limits::kPageRows + 1);
  CHECK(contains(html, "and 7 more"));
  CHECK(occurrences(text, "default/a") == limits::kPageRows);
  CHECK(contains(text, "  and 7 more\n"));
}

TEST_CASE("a long text is cut between two characters") {
  Page page{.title = "statusz", .program = "manager"};
  std::string text = "a";
  for (std::size_t i = 0; i < limits::kPageTextBytes; ++i) text += "ä";
  page.facts = {{"Name", text}};

  const auto html = html_of(page);

  CHECK(occurrences(html, "ä") == (limits::kPageTextBytes - 1) / 2);
  CHECK(contains(html, "ä…</dd>"));
  CHECK_FALSE(contains(html, "\xEF\xBF\xBD"));
}

TEST_CASE("the text of a page begins as Kubernetes' z-pages do") {
  auto page = page_with_rows(1);
  page.badge = "leader";
  page.facts = {{"Up", "5 s"}};
  page.links = {"/statusz", "/flagz"};
  page.period = "the last 10 minutes";
  page.charts = {{"Loop lag", "1 ms", "2 ms", {1, 2}}};

  CHECK(plain_text_of(page) ==
        "\nmanager statusz\n"
        "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and "
        "is for debugging purposes only.\n"
        "\n"
        "State: leader\n"
        "Up: 5 s\n"
        "Paths: /statusz /flagz\n"
        "Loop lag: 1 ms (the last 10 minutes: at most 2 ms)\n"
        "\n"
        "Queues\n"
        "Keys:\n"
        "  Key        Count\n"
        "  default/a      0\n");
}

TEST_CASE("a line break in a text does not add a line to the text of a page") {
  Page page{.title = "statusz", .program = "manager"};
  page.sections.push_back({.title = "Errors",
                           .facts = {{"Last", "a\nState: leader"}},
                           .tables = {{.columns = {{"Error"}}, .rows = {{{"b\r\nc"}}}}}});

  const auto text = plain_text_of(page);

  CHECK(contains(text, "Last: a State: leader\n"));
  CHECK(contains(text, "  b  c\n"));
}

}  // namespace
}  // namespace keelson::zpages
