#include "keelson/detail/json/path_scan.hpp"

#include <algorithm>

namespace keelson::json {

PathScan::PathScan(std::string_view text, const std::vector<std::vector<std::string>>& paths)
    : text_(text), reader_(text), nodes_(1), values_(paths.size()) {
  for (std::size_t path = 0; path < paths.size(); ++path) {
    std::size_t node = 0;
    for (const auto& name : paths[path]) {
      const auto& children = nodes_[node].children;
      const auto found = std::ranges::find_if(children, [&](std::size_t child) { return nodes_[child].name == name; });
      if (found != children.end()) {
        node = *found;
        continue;
      }
      nodes_[node].children.push_back(nodes_.size());
      node = nodes_.size();
      nodes_.push_back({name, kNowhere, {}});
    }
    nodes_[node].path = path;
  }
}

Result<bool> PathScan::advance(std::size_t bytes) {
  reader_.allow(bytes);
  while (!is_done_) {
    switch (reader_.next()) {
      case Token::kPause:
        return false;
      case Token::kFailed:
        return reader_.error();
      case Token::kEnd:
        is_done_ = true;
        break;
      case Token::kName:
        on_name();
        break;
      case Token::kBeginObject:
        on_begin(true);
        break;
      case Token::kBeginArray:
        on_begin(false);
        break;
      case Token::kEndObject:
      case Token::kEndArray:
        on_end();
        break;
      case Token::kString:
      case Token::kNumber:
      case Token::kTrue:
      case Token::kFalse:
      case Token::kNull:
        on_scalar();
        break;
    }
  }
  return true;
}

std::string PathScan::text(std::size_t path) const {
  const auto json = values_[path];
  return json.starts_with('"') ? decoded(json.substr(1, json.size() - 2)) : std::string();
}

void PathScan::on_name() {
  coming_ = kNowhere;
  const bool is_on_the_way = !open_.empty() && open_.back().depth == reader_.depth() && open_.back().leads_on;
  if (!is_on_the_way) return;
  for (const auto child : nodes_[open_.back().node].children) {
    if (!is_name(nodes_[child].name)) continue;
    coming_ = child;
    forget(child);
    return;
  }
}

void PathScan::on_begin(bool is_object) {
  if (coming_ != kNowhere) {
    open_.push_back({reader_.depth(), coming_, reader_.token_begin(), is_object});
  }
  coming_ = kNowhere;
}

void PathScan::on_end() {
  if (open_.empty() || open_.back().depth != reader_.depth() + 1) return;
  const auto& closed = open_.back();
  const auto path = nodes_[closed.node].path;
  if (path != kNowhere) values_[path] = text_.substr(closed.begin, reader_.token_end() - closed.begin);
  open_.pop_back();
}

void PathScan::on_scalar() {
  if (coming_ == kNowhere) return;
  const auto path = nodes_[coming_].path;
  const auto begin = reader_.token_begin();
  if (path != kNowhere) values_[path] = text_.substr(begin, reader_.token_end() - begin);
  coming_ = kNowhere;
}

// A duplicate of this member was found: the values of the earlier one, and below it, do not count.
void PathScan::forget(std::size_t node) {
  if (nodes_[node].path != kNowhere) values_[nodes_[node].path] = {};
  for (const auto child : nodes_[node].children) forget(child);
}

bool PathScan::is_name(const std::string& wanted) const {
  const auto body = reader_.body();
  if (!reader_.has_escapes()) return body == wanted;
  constexpr std::size_t kLongestEscape = 6;
  return body.size() <= wanted.size() * kLongestEscape && decoded(body) == wanted;
}

}  // namespace keelson::json
