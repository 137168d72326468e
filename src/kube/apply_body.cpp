#include "src/kube/apply_body.hpp"

#include "keelson/base/misuse.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube {

namespace {

// An apply with a resourceVersion changes only an object of that version. No stored object has version 1, so the apply
// of an existing object fails with 409, and a missing one is created. ("0" and "" count as no version.)
std::string with_first_version(json::View object) {
  json::Writer writer;
  writer.begin_object();
  for (const auto& [name, value] : object.members()) {
    if (name != "metadata") writer.field(name, value);
  }
  writer.key("metadata").begin_object();
  for (const auto& [name, value] : object.find("metadata").members()) {
    if (name != "resourceVersion") writer.field(name, value);
  }
  writer.field("resourceVersion", "1").end_object().end_object();
  return std::move(writer).take();
}

}  // namespace

std::string apply_body(ApplyForm form, std::string body) {
  if (form == ApplyForm::kForce) return body;
  auto document = json::Document::parse(body);
  if (!document) throw base::Misuse("apply: the body is not JSON: " + document.error().message());
  if (!document->root().is_object()) throw base::Misuse("apply: the body is not a JSON object");
  if (form == ApplyForm::kCreateOnly) return with_first_version(document->root());
  if (document->root().at({"metadata", "uid"}).string().value_or("").empty()) {
    throw base::Misuse("apply: ApplyForm::kUpdate needs metadata.uid in the body, so that only that object is changed");
  }
  return body;
}

}  // namespace keelson::kube
