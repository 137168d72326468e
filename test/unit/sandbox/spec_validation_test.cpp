// The messages and the order of the errors are those of kube-apiserver 1.36.3 for the same objects.
#include "src/sandbox/validation/spec_validation.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::sandbox {
namespace {

const ServedKind& kind_of(const std::string& group, const std::string& plural) {
  static const Kinds all;
  return *all.find({group, "v1", "", plural, true});
}

// "field: text" of each error, one per line.
std::string errors_of(const ServedKind& kind, const std::string& spec, const Tree* before = nullptr) {
  auto object = Tree::object({{"spec", *Tree::parse(spec)}});
  std::vector<FieldError> errors;
  validate_spec(kind, before, object, errors);
  std::string text;
  for (const auto& error : errors) text += error.message() + "\n";
  return text;
}

constexpr const char* kTemplate =
    R"("template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}})";
constexpr const char* kMismatch = "`selector` does not match template `labels`\n";

TEST_CASE("the containers of a pod need names, images and the objects that they refer to") {
  const std::pair<const char*, const char*> rows[] = {
      {R"({})", "spec.containers: Required value\n"},
      {R"({"containers":[{"image":"i"}]})", "spec.containers[0].name: Required value\n"},
      {R"({"containers":[{"name":"i"}]})", "spec.containers[0].image: Required value\n"},
      {R"({"containers":[{"name":"c","image":"i"},{"name":"c","image":"i"}]})",
       "spec.containers[1].name: Duplicate value: \"c\"\n"},
      {R"({"containers":[{"name":"c","image":" x"}]})",
       "spec.containers[0].image: Invalid value: \" x\": must not have leading or trailing whitespace\n"},
      {R"({"containers":[{"name":"c","image":"i","ports":[{}]}]})",
       "spec.containers[0].ports[0].containerPort: Required value\n"},
      {R"({"containers":[{"name":"c","image":"i","ports":[{"containerPort":70000,"protocol":"X"}]}]})",
       "spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive\n"
       "spec.containers[0].ports[0].protocol: Unsupported value: \"X\": supported values: \"SCTP\", \"TCP\", "
       "\"UDP\"\n"},
      {R"({"containers":[{"name":"c","image":"i","env":[{"value":"x"}]}]})",
       "spec.containers[0].env[0].name: Required value\n"},
      {R"({"containers":[{"name":"c","image":"i","volumeMounts":[{"name":"v"}]}]})",
       "spec.containers[0].volumeMounts[0].name: Not found: \"v\"\n"
       "spec.containers[0].volumeMounts[0].mountPath: Required value\n"},
      {R"({"containers":[{"name":"c","image":"i"}],"volumes":[{"name":"v"},{}]})",
       "spec.volumes[1].name: Required value\n"},
      {R"({"containers":[{"name":"c","image":"i"}],"initContainers":[{"name":"c"}]})",
       "spec.initContainers[0].image: Required value\nspec.initContainers[0].name: Duplicate value: \"c\"\n"},
  };

  for (const auto& [spec, errors] : rows) {
    INFO(spec);
    CHECK(errors_of(kind_of("", "pods"), spec) == errors);
  }
}

TEST_CASE("the selector of a workload must select the pods of its template") {
  const std::string labels = R"({"a":"b"})";
  auto with_expression = [](const std::string& members) {
    return "{" + std::string(kTemplate) + R"(,"selector":{"matchExpressions":[{"key":"a",)" + members + "}]}}";
  };
  for (const char* plural : {"deployments", "replicasets", "statefulsets"}) {
    INFO(plural);
    const auto& kind = kind_of("apps", plural);
    CHECK(errors_of(kind, "{}") == std::string("spec.selector: Required value\n") +
                                       "spec.template.metadata.labels: Invalid value: null: " + kMismatch +
                                       "spec.template.spec.containers: Required value\n");
    CHECK(errors_of(kind, "{" + std::string(kTemplate) + R"(,"selector":{"matchLabels":{"x":"y"}}})") ==
          "spec.template.metadata.labels: Invalid value: " + labels + ": " + kMismatch);
    CHECK(errors_of(kind, "{" + std::string(kTemplate) + R"(,"selector":{"matchLabels":{"a":"b"}},"replicas":-1})") ==
          "spec.replicas: Invalid value: -1: must be greater than or equal to 0\n");
    CHECK(errors_of(kind, "{" + std::string(kTemplate) + R"(,"selector":{"matchLabels":{"a":"b"}}})").empty());
    CHECK(errors_of(kind, with_expression(R"("operator":"In","values":["b","c"])")).empty());
    CHECK(errors_of(kind, with_expression(R"("operator":"NotIn","values":["b"])")) ==
          "spec.template.metadata.labels: Invalid value: " + labels + ": " + kMismatch);
  }
  CHECK(errors_of(kind_of("apps", "deployments"), "{" + std::string(kTemplate) + R"(,"selector":{}})") ==
        "spec.selector: Invalid value: {}: empty selector is invalid for deployment\n");
  CHECK(errors_of(kind_of("apps", "daemonsets"), "{" + std::string(kTemplate) + "}") ==
        "spec.template.metadata.labels: Invalid value: " + labels + ": " + kMismatch);
}

TEST_CASE("a Job needs a restartPolicy, and a CronJob a schedule") {
  CHECK(errors_of(kind_of("batch", "jobs"), "{}") ==
        "spec.template.spec.containers: Required value\n"
        "spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"\n");
  CHECK(errors_of(kind_of("batch", "cronjobs"), "{}") ==
        "spec.schedule: Required value\n"
        "spec.jobTemplate.spec.template.spec.containers: Required value\n"
        "spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"\n");
}

TEST_CASE("a Service needs ports, and several ports need names") {
  const std::pair<const char*, const char*> rows[] = {
      {R"({})", "spec.ports: Required value\n"},
      {R"({"clusterIP":"None"})", ""},
      {R"({"type":"ExternalName"})", "spec.externalName: Required value\n"},
      {R"({"ports":[{}]})",
       "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive\n"
       "spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive\n"},
      {R"({"ports":[{"port":80},{"port":81}]})",
       "spec.ports[0].name: Required value\nspec.ports[1].name: Required value\n"},
      {R"({"ports":[{"port":80,"name":"a"},{"port":81,"name":"a"}]})", "spec.ports[1].name: Duplicate value: \"a\"\n"},
  };

  for (const auto& [spec, errors] : rows) {
    INFO(spec);
    CHECK(errors_of(kind_of("", "services"), spec) == errors);
  }
}

TEST_CASE("an unchanged spec is not validated again") {
  const auto before = Tree::object({{"spec", Tree::object()}});

  CHECK(errors_of(kind_of("", "pods"), "{}", &before).empty());
}

}  // namespace
}  // namespace keelson::sandbox
