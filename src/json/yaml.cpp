// The YAML reader: builds a Tree from yaml-cpp's events. The only file that uses yaml-cpp, whose exceptions end here.
#include "keelson/json/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <sstream>

#include "keelson/base/limits.hpp"
#include "keelson/base/try.hpp"
#include "keelson/json/limits.hpp"
#include "src/json/tree.hpp"
#include "src/json/yaml_scalar.hpp"

namespace keelson::json {
namespace {

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(int& last_start) : last_start_(last_start) {}

  [[nodiscard]] Tree take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    // At a stray comma or bracket yaml-cpp 0.7 begins an empty document again and again.
    if (mark.pos == last_start_) fail(mark, "unexpected token");
    last_start_ = mark.pos;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { put(mark, anchor, Tree()); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(mark, anchor, Tree::Kind::kArray);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(mark, anchor, Tree::Kind::kObject);
  }
  void OnMapEnd() override { end(); }

 private:
  struct Open {
    YAML::Mark mark;
    YAML::anchor_t anchor;
    Tree tree;
    std::vector<Tree> merged;  // values of << keys
    bool has_name = false;
    bool is_merge = false;
    std::string name;
  };

  void begin(const YAML::Mark& mark, YAML::anchor_t anchor, Tree::Kind kind);
  void end();
  void put(const YAML::Mark& mark, YAML::anchor_t anchor, Tree value, bool is_plain = false);
  void put_name(const YAML::Mark& mark, const Tree& value, bool is_plain);
  void merge(Open& map);
  void count_copy(const YAML::Mark& mark, const Tree& copied);

  [[noreturn]] static void fail(const YAML::Mark& mark, const char* reason) {
    throw YAML::ParserException(mark, reason);
  }

  int& last_start_;
  Tree root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Tree> anchors_;
  std::size_t copied_bytes_ = 0;
};

Error error_of(const YAML::Exception& exception) {
  return malformed_error("yaml: line " + std::to_string(exception.mark.line + 1) + ", column " +
                         std::to_string(exception.mark.column + 1) + ": " + exception.msg);
}

bool is_null(const Tree& tree) { return tree.kind == Tree::Kind::kScalar && tree.scalar == "null"; }

}  // namespace

Result<std::vector<std::string>> yaml_documents_to_json(std::string_view text) {
  if (text.size() > limits::kLocalFileBytes) return malformed_error("yaml: the text is too large");
  std::vector<std::string> documents;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    int last_start = -1;  // where the document before began
    while (true) {
      TreeBuilder builder(last_start);
      if (!parser.HandleNextDocument(builder)) return documents;
      const Tree tree = builder.take();
      if (!is_null(tree)) documents.push_back(tree.text());
    }
  } catch (const YAML::Exception& exception) {
    return error_of(exception);
  }
}

Result<std::string> yaml_to_json(std::string_view text) {
  KEELSON_LET(auto documents, yaml_documents_to_json(text));
  if (documents.empty()) return std::string("null");
  if (documents.size() > 1) return malformed_error("yaml: expected one document, found several");
  return std::move(documents.front());
}

namespace {

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) fail(mark, "an alias inside of its own anchor");
  count_copy(mark, found->second);
  put(mark, YAML::NullAnchor, found->second);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  // yaml-cpp tags plain scalars "?" and quoted ones "!".
  const bool is_plain = tag == "?";
  const bool is_resolved = is_plain || tag == "tag:yaml.org,2002:int" || tag == "tag:yaml.org,2002:float" ||
                           tag == "tag:yaml.org,2002:bool" || tag == "tag:yaml.org,2002:null";
  const auto json = is_resolved ? plain_scalar_json(value) : std::nullopt;
  if (json && json->empty()) fail(mark, "JSON cannot represent this number");
  put(mark, anchor, Tree::of_scalar(json ? *json : quoted(value)), is_plain);
}

void TreeBuilder::begin(const YAML::Mark& mark, YAML::anchor_t anchor, Tree::Kind kind) {
  if (open_.size() == limits::kJsonDepth) fail(mark, "nested too deep");
  const bool is_name = !open_.empty() && open_.back().tree.kind == Tree::Kind::kObject && !open_.back().has_name;
  if (is_name) fail(mark, "a key must be a scalar");
  open_.push_back({mark, anchor, Tree::of_kind(kind), {}, false, false, {}});
}

void TreeBuilder::end() {
  Open closed = std::move(open_.back());
  open_.pop_back();
  merge(closed);
  put(closed.mark, closed.anchor, std::move(closed.tree));
}

void TreeBuilder::put(const YAML::Mark& mark, YAML::anchor_t anchor, Tree value, bool is_plain) {
  if (anchor != YAML::NullAnchor) {
    count_copy(mark, value);
    anchors_[anchor] = value;
  }
  if (open_.empty()) {
    root_ = std::move(value);
    return;
  }
  Open& parent = open_.back();
  // The copy of an anchor is as deep as the original.
  if (open_.size() + value.depth() > limits::kJsonDepth) fail(mark, "nested too deep");
  if (parent.tree.kind == Tree::Kind::kArray) {
    parent.tree.children.push_back(std::move(value));
  } else if (!parent.has_name) {
    put_name(mark, value, is_plain);
  } else {
    parent.has_name = false;
    if (parent.is_merge) {
      parent.merged.push_back(std::move(value));
    } else {
      parent.tree.names.push_back(std::move(parent.name));
      parent.tree.children.push_back(std::move(value));
    }
  }
}

void TreeBuilder::put_name(const YAML::Mark& mark, const Tree& value, bool is_plain) {
  if (value.kind != Tree::Kind::kScalar) fail(mark, "a key must be a scalar");
  Open& map = open_.back();
  map.has_name = true;
  map.name = value.scalar;
  if (value.scalar.starts_with('"')) {
    const auto document = Document::parse(value.scalar);
    map.name = std::string(document->root().string().value());
  }
  map.is_merge = is_plain && map.name == "<<";
}

// The members of the map itself take precedence over merged ones, and earlier merged ones over later ones.
void TreeBuilder::merge(Open& map) {
  map.tree.drop_duplicates();
  Tree more = Tree::of_kind(Tree::Kind::kObject);
  const auto add = [&](Tree& source) {
    if (source.kind != Tree::Kind::kObject) fail(map.mark, "<< requires a map");
    // The loop below uses the last of equal names, so the map that takes precedence is added last.
    more.names.insert(more.names.begin(), source.names.begin(), source.names.end());
    more.children.insert(more.children.begin(), source.children.begin(), source.children.end());
  };
  for (Tree& source : map.merged) {
    if (source.kind == Tree::Kind::kArray) {
      for (Tree& item : source.children) add(item);
    } else {
      add(source);
    }
  }
  if (map.merged.empty()) return;
  more.names.insert(more.names.end(), map.tree.names.begin(), map.tree.names.end());
  more.children.insert(more.children.end(), map.tree.children.begin(), map.tree.children.end());
  more.drop_duplicates();
  map.tree = std::move(more);
}

// Each alias of an alias doubles the size ("billion laughs"), so the size of all copies together is limited.
void TreeBuilder::count_copy(const YAML::Mark& mark, const Tree& copied) {
  copied_bytes_ += copied.size();
  if (copied_bytes_ > limits::kObjectBytes) fail(mark, "the copies of anchors are too large");
}

}  // namespace
}  // namespace keelson::json
