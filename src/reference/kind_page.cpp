#include "src/reference/kind_page.hpp"

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/schema/workload_schema.hpp"
#include "keelson/json/value.hpp"
#include "keelson/schema/condition.hpp"
#include "src/reference/field_rows.hpp"
#include "src/reference/markdown.hpp"

namespace keelson::reference {

namespace {

std::vector<KnownType> known_types() {
  const std::string api = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/";
  return {{"PodSpec", api + "pod-v1/#PodSpec", std::string(kube::pod_spec_schema())},
          {"JobTemplateSpec", api + "cron-job-v1/#CronJobSpec", std::string(kube::job_template_schema())},
          {"Condition", "condition.md", kube::schema_of<kube::Condition>()}};
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// The path ".spec.size" of a description is `spec.size` in all tables.
std::string without_dot(std::string_view path) { return std::string(path.substr(path.starts_with('.') ? 1 : 0)); }

std::string codes(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back(code(word));
  return base::join(out, ", ");
}

std::string names(const kube::Kind& kind) {
  std::vector<std::string> all = {kind.resource.plural, kind.singular};
  all.insert(all.end(), kind.short_names.begin(), kind.short_names.end());
  return codes(all);
}

std::string subresources(const kube::Kind& kind) {
  if (!kind.has_scale) return code("status");
  std::string scale = code("scale") + " (replicas " + code(without_dot(kind.scale.spec_replicas)) + ", in the status " +
                      code(without_dot(kind.scale.status_replicas));
  if (!kind.scale.selector.empty()) scale += ", selector " + code(without_dot(kind.scale.selector));
  return code("status") + ", " + scale + ")";
}

std::string webhooks(const kube::Kind& kind, const controller::Definition& definition) {
  std::vector<std::string> out;
  for (const auto& webhook : definition.parts().webhooks) {
    const bool is_mutating = webhook.type == webhook::WebhookType::kMutating;
    if (webhook.resource() == kind.resource) {
      out.push_back((is_mutating ? "defaults, at " : "checks, at ") + code(webhook.path()));
    }
  }
  return out.empty() ? "none" : base::join(out, "; ");
}

std::string facts(const kube::Kind& kind, const controller::Definition& definition) {
  return table_head({"", ""}) + row({"apiVersion", code(kind.resource.api_version())}) +
         row({"kind", code(kind.resource.kind)}) + row({"names for kubectl", names(kind)}) +
         row({"CRD", code(kind.resource.qualified_plural())}) +
         row({"scope", kind.resource.namespaced ? "namespaced" : "cluster"}) +
         row({"subresources", subresources(kind)}) + row({"webhooks", webhooks(kind, definition)}) +
         row({"controller", code("--controllers=" + definition.name())});
}

std::string field_table(std::string_view path, const std::string& schema, const std::vector<KnownType>& known) {
  const auto document = json::Document::parse(schema);
  KEELSON_ASSERT(document.has_value());
  std::string out = table_head({"field", "type", "limits", "default", ""});
  for (const FieldRow& field : field_rows(path, document->root(), known)) {
    out += row({code(field.path), field.type, field.limits,
                field.default_value.empty() ? std::string() : code(field.default_value), prose(field.documentation)});
  }
  return out;
}

// The rules of the whole object, for example of its name; those of fields are in the rows of the fields.
std::string rules(const kube::Kind& kind) {
  if (kind.rules.empty()) return {};
  std::string out = "\n## Rules\n\n" + table_head({"field", "rule (CEL)", "message"});
  for (const kube::CelRule& rule : kind.rules) {
    out += row({rule.field_path.empty() ? "the object" : code(without_dot(rule.field_path)), code(rule.rule),
                prose(rule.message)});
  }
  return out;
}

std::string columns(const kube::Kind& kind) {
  std::string out = "\n## Columns of kubectl get\n\n" + table_head({"column", "type", "shows"});
  out += row({code("NAME"), "string", code("metadata.name")});
  for (const kube::PrinterColumn& column : kind.columns) {
    out += row({code(upper(column.name)), column.type, code(without_dot(column.json_path))});
  }
  // The API server's column for a kind that declares none.
  if (kind.columns.empty()) out += row({code("AGE"), "date", code("metadata.creationTimestamp")});
  return out;
}

std::string sample(const kube::Kind& kind) {
  if (kind.sample.empty()) return {};
  return "\n## Sample\n\n```yaml\n" + kind.sample + "```\n";
}

}  // namespace

std::string kind_page(const kube::Kind& kind, const controller::Definition& definition, std::string_view guide) {
  std::string out = "# " + kind.resource.kind + "\n\n" + prose(kind.description) + (guide.empty() ? "" : " ") +
                    std::string(guide) + "\n\n" + facts(kind, definition);
  const auto known = known_types();
  out += "\n## spec\n\n" + field_table("spec", kind.spec_schema, known);
  out += "\n## status\n\n" + field_table("status", kind.status_schema, known);
  return out + rules(kind) + columns(kind) + sample(kind);
}

std::string condition_page() {
  return "# Condition\n\n"
         "An entry of `status.conditions` (`metav1.Condition`). The page of a kind describes its types and "
         "reasons.\n\n" +
         field_table("conditions[]", kube::schema_of<kube::Condition>(), {});
}

}  // namespace keelson::reference
