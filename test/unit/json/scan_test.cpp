#include "keelson/detail/json/scan.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "keelson/detail/base/limits.hpp"
#include "keelson/detail/json/limits.hpp"
#include "keelson/json/value.hpp"
#include "test/unit/json/pods.hpp"

namespace keelson::json {
namespace {

struct Cut {
  std::vector<std::string> pieces;
  std::string envelope;
  std::string error;
};

// The list in chunks of `size` bytes.
Cut split_list(std::string_view list, std::size_t size, ScanCode code = ScanCode::kFastest) {
  Cut cut;
  ListSplitter splitter(code);
  const auto keep = [&](std::string_view item) {
    cut.pieces.emplace_back(item);
    return Result<void>();
  };
  for (std::size_t at = 0; at < list.size(); at += size) {
    const auto fed = splitter.feed(list.substr(at, size), keep);
    if (!fed) {
      cut.error = fed.error().text;
      return cut;
    }
  }
  auto envelope = splitter.finish();
  if (envelope) {
    cut.envelope = *envelope;
  } else {
    cut.error = envelope.error().text;
  }
  return cut;
}

std::vector<std::string> split_lines(std::string_view text, std::size_t size) {
  std::vector<std::string> lines;
  LineSplitter splitter;
  for (std::size_t at = 0; at < text.size(); at += size) {
    const auto fed = splitter.feed(text.substr(at, size), [&](std::string_view line) {
      lines.emplace_back(line);
      return Result<void>();
    });
    REQUIRE(fed);
  }
  return lines;
}

std::string list_of_pods(int count) {
  std::string list = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"77"},"items":[)";
  for (int i = 0; i < count; ++i) list += (i == 0 ? "" : ",") + fixtures::make_pod(i);
  return list + "]}\n";
}

TEST_CASE("the items of a list do not depend on its chunks") {
  const std::string list =
      R"({"kind":"L","items":[{"a":"}]\"\\"},{"b":[{},{"c":"\\\\"}]} , {}],"metadata":{"continue":"x"}})";
  const std::vector<std::string> expected{R"({"a":"}]\"\\"})", R"({"b":[{},{"c":"\\\\"}]})", "{}"};

  for (std::size_t size = 1; size <= list.size(); ++size) {
    for (const ScanCode code : {ScanCode::kFastest, ScanCode::kScalar}) {
      const Cut cut = split_list(list, size, code);

      INFO("chunks of " << size);
      CHECK(cut.error == "");
      CHECK(cut.pieces == expected);
      CHECK(cut.envelope == R"({"kind":"L","items":[],"metadata":{"continue":"x"}})");
    }
  }
}

TEST_CASE("the pods of a list are unchanged") {
  const std::string list = list_of_pods(5);

  for (const std::size_t size :
       {std::size_t{63}, std::size_t{64}, std::size_t{1000}, limits::kReadBytes, list.size()}) {
    const Cut cut = split_list(list, size);

    REQUIRE(cut.pieces.size() == 5);
    for (int i = 0; i < 5; ++i) CHECK(cut.pieces[static_cast<std::size_t>(i)] == fixtures::make_pod(i));
    CHECK(cut.envelope == R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"77"},"items":[]})");
  }
}

TEST_CASE("items are found at any position, and equal names elsewhere do not count") {
  struct Row {
    const char* list;
    std::size_t items;
    const char* envelope;
  };
  const Row rows[] = {
      {R"({"items":[]})", 0, R"({"items":[]})"},
      {R"({"items":null})", 0, R"({"items":null})"},
      {R"({"kind":"Status","code":410})", 0, R"({"kind":"Status","code":410})"},
      {R"({"items":[{}],"kind":"L"})", 1, R"({"items":[],"kind":"L"})"},
      {R"({"metadata":{"items":[{},{}]},"items":[{}]})", 1, R"({"metadata":{"items":[{},{}]},"items":[]})"},
      {R"({"kind":"items","items":[{}]})", 1, R"({"kind":"items","items":[]})"},
      {R"({"\u0069tems":[{}]})", 1, R"({"\u0069tems":[]})"},
      {" {\n \"items\" : [ { } , { } ] \n} \n", 2, R"({"items":[]})"},
      {R"({"x":["items",[{}]],"items":[{}]})", 1, R"({"x":["items",[{}]],"items":[]})"},
  };

  for (const Row& row : rows) {
    const Cut cut = split_list(row.list, 3);

    INFO(row.list);
    CHECK(cut.error == "");
    CHECK(cut.pieces.size() == row.items);
    CHECK(cut.envelope == row.envelope);
  }
}

TEST_CASE("a text that is not a list is rejected") {
  const char* const rows[] = {
      "",
      "[]",
      "null",
      "{}}",
      "{} {}",
      R"({"items":[{}]]})",
      R"({"items":[}]})",
      R"({"items":[{}}]})",
      R"({"items":[{},]})",
      R"({"items":[,{}]})",
      R"({"items":[{}{}]})",
      R"({"items":[{}],"items":[{}]})",
      R"({"items":[],"items":null})",
      R"({"items":[1]})",
      R"({"items":["a"]})",
      R"({"items":[[]]})",
      R"({"items":[null]})",
      R"({"items"[{}]})",
      R"({"items":[{}],})",
      R"({"items":[{}]"a":1})",
      R"({"a":]})",
      R"({]})",
  };

  for (const char* row : rows) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{100}}) {
      INFO(row);
      CHECK(split_list(row, size).error != "");
    }
  }
}

TEST_CASE("a list that is truncated anywhere is rejected") {
  const std::string list = R"({"kind":"L","items":[{"a":"\""},{"b":[1,2]}],"metadata":{"continue":"x"}})";

  for (std::size_t length = 0; length < list.size(); ++length) {
    INFO(list.substr(0, length));
    CHECK(split_list(list.substr(0, length), 7).error ==
          "list: incomplete response (at byte " + std::to_string(length) + ")");
  }
}

TEST_CASE("an escape before a quote is recognized across the boundaries of blocks and chunks") {
  for (std::size_t padding = 50; padding < 80; ++padding) {
    for (std::size_t backslashes = 0; backslashes < 6; ++backslashes) {
      // An odd number of backslashes keeps the string open, so that its brackets do not count.
      const std::string body = std::string(padding, 'x') + std::string(backslashes, '\\') + '"';
      const bool is_open = backslashes % 2 == 1;
      const std::string item = R"({"a":")" + body + (is_open ? R"(}]"})" : "}");
      const std::string list = R"({"items":[)" + item + "]}";

      for (const std::size_t size : {std::size_t{1}, std::size_t{13}, std::size_t{64}, list.size()}) {
        for (const ScanCode code : {ScanCode::kFastest, ScanCode::kScalar}) {
          const Cut cut = split_list(list, size, code);
          INFO(list);
          CHECK(cut.pieces == std::vector<std::string>{item});
          CHECK(cut.envelope == R"({"items":[]})");
        }
      }
    }
  }
}

TEST_CASE("an item that is too large is rejected before it is stored") {
  const std::string start = R"({"items":[{"a":")";
  const std::string part(std::size_t{1} << 20, 'x');
  ListSplitter splitter;
  const auto ignore = [](std::string_view) { return Result<void>(); };
  REQUIRE(splitter.feed(start, ignore));

  Result<void> fed;
  std::size_t parts = 0;
  while (fed && parts <= limits::kObjectBytes / part.size()) {
    fed = splitter.feed(part, ignore);
    ++parts;
  }

  REQUIRE_FALSE(fed);
  CHECK(parts == limits::kObjectBytes / part.size());
  CHECK(fed.error().kind == Error::Kind::kMalformed);
  CHECK_FALSE(splitter.feed("]}", ignore));
  CHECK_FALSE(splitter.finish());
}

TEST_CASE("an envelope that is too large or too deep is rejected") {
  const std::string wide = R"({"a":")" + std::string(limits::kListEnvelopeBytes, 'x') + R"("})";
  const std::string deep = R"({"a":)" + std::string(1000, '[');

  CHECK(split_list(wide, 4096).error == "list: the envelope of the items is too large (at byte 65536)");
  CHECK(split_list(deep, 4096).error == "list: nested too deep (at byte 132)");
}

TEST_CASE("a million open brackets in an item are a truncated list, not a crash") {
  const std::string list = R"({"items":[{"a":)" + std::string(1'000'000, '[');

  const Cut cut = split_list(list, 16384);

  CHECK(cut.error == "list: incomplete response (at byte 1000015)");
}

TEST_CASE("an error of the callback ends the feed") {
  ListSplitter splitter;
  int calls = 0;

  const auto fed = splitter.feed(R"({"items":[{},{},{}]})", [&](std::string_view) -> Result<void> {
    return ++calls == 2 ? Result<void>(malformed_error("no")) : Result<void>();
  });

  REQUIRE_FALSE(fed);
  CHECK(fed.error().text == "no");
  CHECK(calls == 2);
}

TEST_CASE("the lines of a stream do not depend on its chunks") {
  const std::string text = "{\"a\":1}\n\n{\"b\":2}\r\n  \nx\nrest";

  for (std::size_t size = 1; size <= text.size(); ++size) {
    INFO("chunks of " << size);
    CHECK(split_lines(text, size) == std::vector<std::string>{"{\"a\":1}", "{\"b\":2}", "x"});
  }
}

TEST_CASE("a line within a single chunk is not copied") {
  const std::string chunk = "abc\ndef\n";
  LineSplitter splitter;
  bool is_slice = true;

  const auto fed = splitter.feed(chunk, [&](std::string_view line) {
    is_slice = is_slice && line.data() >= chunk.data() && line.data() < chunk.data() + chunk.size();
    return Result<void>();
  });

  REQUIRE(fed);
  CHECK(is_slice);
}

TEST_CASE("a stream that ends within a line has a partial line") {
  LineSplitter splitter;
  const auto ignore = [](std::string_view) { return Result<void>(); };

  REQUIRE(splitter.feed("a\nb", ignore));
  CHECK(splitter.has_partial_line());
  REQUIRE(splitter.feed("\n", ignore));
  CHECK_FALSE(splitter.has_partial_line());
}

TEST_CASE("a line without an end is rejected at the limit") {
  LineSplitter splitter;
  const auto ignore = [](std::string_view) { return Result<void>(); };
  REQUIRE(splitter.feed(std::string(limits::kWatchLineBytes, 'x'), ignore));

  const auto fed = splitter.feed("x", ignore);

  REQUIRE_FALSE(fed);
  CHECK(fed.error().kind == Error::Kind::kMalformed);
}

}  // namespace
}  // namespace keelson::json
