// The examples of include/keelson/json.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/json/path_scan.hpp"
#include "keelson/detail/json/reader.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::examples {

// [value]
// Reads a Deployment, and writes {"name":"web","replicas":3}.
Result<std::string> summary_of(std::string_view deployment) {
  KEELSON_LET(auto document, json::Document::parse(deployment));
  auto root = document.root();
  auto name = root.at({"metadata", "name"}).string();
  if (!name) return invalid_error("deployment: metadata.name is missing");
  auto replicas = root.at({"spec", "replicas"}).integer().value_or(1);  // no checks on the way
  json::Writer writer;
  writer.begin_object().field("name", *name).field("replicas", replicas).end_object();
  return std::move(writer).take();
}
// [end]

// [writer]
std::string ports_of_a() {
  json::Writer writer;
  writer.begin_object().field("name", "a").key("ports").begin_array().integer(80).end_array().end_object();
  return std::move(writer).take();  // {"name":"a","ports":[80]}
}
// [end]

constexpr std::size_t kSliceBytes = 16'384;

// [path_scan]
// The object of an admission review as JSON, the bytes as received.
Task<std::string> object_in(async::TimeSlice& slice, std::string review) {
  json::PathScan scan(review, {{"request", "uid"}, {"request", "object"}});
  for (;;) {
    KEELSON_CO_LET(const bool is_done, scan.advance(kSliceBytes));
    if (is_done) co_return std::string(scan.value(1));
    co_await slice.yield();
  }
}
// [end]

// [reader]
// The number of members in all objects of an untrusted text.
Task<std::size_t> count_members(async::TimeSlice& slice, std::string text) {
  json::Reader reader(text);
  std::size_t members = 0;
  for (auto token = reader.next(); token != json::Token::kEnd; token = reader.next()) {
    if (token == json::Token::kFailed) co_return reader.error();
    if (token == json::Token::kName) ++members;
    if (token == json::Token::kPause) {  // the allowance is used up; initially it is 0
      co_await slice.yield();
      reader.allow(kSliceBytes);
    }
  }
  co_return members;
}
// [end]

}  // namespace keelson::examples
