#include "tools/reference/pages.hpp"

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/controller/explain_policy.hpp"
#include "keelson/detail/program/flags.hpp"
#include "src/kinds/built_in.hpp"
#include "src/reference/kind_page.hpp"
#include "tools/reference/doctor_page.hpp"
#include "tools/reference/metric_families.hpp"
#include "tools/reference/metrics_page.hpp"

namespace keelson::reference {

namespace {

using Definitions = std::vector<controller::Definition>;
using Pages = std::vector<Page>;

void add_kinds(const Definitions& definitions, Pages& out) {
  for (const controller::Definition& definition : definitions) {
    const auto guide = "How it works: [" + definition.resource().kind + "](../" + definition.name() + ".md).";
    for (const kube::Kind& kind : definition.parts().kinds) {
      out.push_back({base::to_lower(kind.resource.kind) + ".md",
                     kind.resource.kind + " (`" + kind.resource.api_version() + "`)",
                     kind_page(kind, definition, guide)});
    }
  }
  out.push_back({"condition.md", "Condition, an entry of `status.conditions`", condition_page()});
}

void add_flags(const Definitions& definitions, Pages& out) {
  out.push_back(
      {"flags.md", "The flags of `manager`",
       "# Flags\n\n"
       "The syntax is Go's: `-flag` and `--flag` are equal. A value follows after `=` or as the next argument; a "
       "bool needs none. `manager --help` prints the same list.\n\n" +
           program::flags_markdown(program::syntax_of({}, definitions))});
}

void add_metrics(const Definitions& definitions, Pages& out) {
  out.push_back({"metrics.md", "The metrics of `manager`", metrics_page(metric_families(definitions))});
}

void add_doctor(const Definitions&, Pages& out) {
  out.push_back({"doctor.md", "The findings of `manager doctor`", doctor_page()});
}

void add_answers(const Definitions&, Pages& out) {
  std::string content =
      "# Answers of `manager explain`\n\n"
      "[explain.md](../explain.md) describes the command. The first answer that applies is given, in this order; `…` "
      "stands for a fact. The name is `answer.name` in the JSON output.\n\n"
      "| name | answer | what to do |\n|---|---|---|\n";
  for (const auto& answer : controller::explain_answers()) {
    content += "| `" + std::string(answer.name) + "` | " + std::string(answer.text) + " | " +
               std::string(answer.remedy.empty() ? "nothing" : answer.remedy) + " |\n";
  }
  out.push_back({"explain.md", "The answers of `manager explain`", content});
}

// Add new sorts of pages here.
constexpr void (*kSorts[])(const Definitions& definitions, Pages& out) = {add_kinds, add_flags, add_metrics, add_doctor,
                                                                          add_answers};

Page index(const Pages& pages) {
  std::string content =
      "# Reference\n\n"
      "Generated from the program's tables: `make generate` updates these pages, and a test fails if they differ.\n\n";
  for (const Page& page : pages) content += "- [" + page.title + "](" + page.file + ")\n";
  return {"README.md", "Reference", content};
}

}  // namespace

std::vector<Page> pages() {
  const Definitions definitions = kinds::built_in();
  Pages out;
  for (const auto add : kSorts) add(definitions, out);
  out.push_back(index(out));
  return out;
}

}  // namespace keelson::reference
