#include "src/sandbox/admission/policies.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/limits.hpp"
#include "keelson/detail/json/patch.hpp"
#include "src/sandbox/admission/patch_types.hpp"
#include "src/sandbox/admission/review.hpp"
#include "src/sandbox/fields/apply_check.hpp"
#include "src/sandbox/fields/field_validation.hpp"
#include "src/sandbox/fields/managed_fields.hpp"
#include "src/sandbox/fields/merge_type.hpp"
#include "src/sandbox/kinds/object_form.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/storage/label_selector.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kPolicyGroup = "admissionregistration.k8s.io";
constexpr std::size_t kMessageBytesOfPolicy = std::size_t{5} << 10;

kube::Resource policy_resource(const char* kind, const char* plural) {
  return {kPolicyGroup, "v1", kind, plural, false};
}

Policy compiled_policy(const std::string& name, const Tree& spec) {
  Policy policy;
  policy.name = name;
  policy.match = resource_match(spec.copy_at({"matchConstraints"}), "resourceRules");
  policy.ignores_failures = spec.text_at({"failurePolicy"}) == "Ignore";
  policy.is_reinvoked = spec.text_at({"reinvocationPolicy"}) == "IfNeeded";
  if (const Tree* kind = spec.find("paramKind")) policy.param_kind = *kind;
  const bool has_params = !policy.param_kind.is_null();
  policy.conditions = match_conditions(spec, has_params);
  ExpressionScope scope{has_params, nullptr};
  policy.variables = policy_variables(spec, scope);
  for (const auto& check : spec.items_at({"validations"})) {
    policy.checks.push_back({compile_expression(check.text_at({"expression"}), scope, ExpressionResult::kBool),
                             compile_expression(check.text_at({"messageExpression"}), scope, ExpressionResult::kString),
                             std::string(base::trim(check.text_at({"message"}))), check.text_at({"reason"})});
  }
  for (const auto& annotation : spec.items_at({"auditAnnotations"})) {
    policy.annotations.push_back({annotation.text_at({"key"}),
                                  compile_expression(std::string(base::trim(annotation.text_at({"valueExpression"}))),
                                                     scope, ExpressionResult::kStringOrNull)});
  }
  for (const auto& mutation : spec.items_at({"mutations"})) {
    const bool is_patch = mutation.text_at({"patchType"}) == "JSONPatch";
    auto text = mutation.text_at({is_patch ? "jsonPatch" : "applyConfiguration", "expression"});
    policy.mutations.push_back({compile_expression(std::string(base::trim(text)), scope,
                                                   is_patch ? ExpressionResult::kPatch : ExpressionResult::kObject),
                                is_patch});
  }
  return policy;
}

PolicyBinding compiled_binding(const std::string& name, const Tree& spec) {
  PolicyBinding binding;
  binding.name = name;
  binding.match = resource_match(spec.copy_at({"matchResources"}), "resourceRules");
  binding.match.needs_rule = false;
  if (const Tree* reference = spec.find("paramRef")) binding.param_ref = *reference;
  binding.actions = spec.texts_at({"validationActions"});
  return binding;
}

int code_of(const std::string& reason) {
  if (reason == "Forbidden") return 403;
  if (reason == "Unauthorized") return 401;
  return reason == "RequestEntityTooLarge" ? 413 : 422;
}

void set_causes(Rejection& rejected, const std::vector<std::string>& messages) {
  auto causes = Tree::array();
  for (const auto& message : messages) causes.items().push_back(Tree::object({{"message", message}}));
  rejected.status["details"]["causes"] = std::move(causes);
}

// Trees of the params for a binding, a single null if it has none; or the configuration error.
Result<std::vector<Tree>> params_for(const World& world, const ServedKind* kind, const Tree& reference,
                                     const std::string& request_ns) {
  if (kind == nullptr || reference.is_null()) return std::vector<Tree>{Tree()};
  auto ns = reference.text_at({"namespace"});
  if (!kind->resource.namespaced && !ns.empty()) {
    return invalid_error("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  if (kind->resource.namespaced && ns.empty()) ns = request_ns;
  if (kind->resource.namespaced && ns.empty()) {
    return invalid_error("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
  }
  std::vector<Tree> found;
  const auto name = reference.text_at({"name"});
  const Tree* selector = reference.find("selector");
  if (!name.empty()) {
    const auto* entry = world.store.find(*kind, kube::Key(ns, name));
    if (entry != nullptr) found.push_back(entry->stored().tree);
  } else if (selector != nullptr) {
    const auto& all = world.store.all(*kind);
    for (auto entry = all.lower_bound(kube::Key(ns, "")); entry != all.end() && entry->first.ns == ns; ++entry) {
      const auto& tree = entry->second.stored().tree;
      if (selects_labels(*selector, labels_in(tree.at({"metadata", "labels"})))) found.push_back(tree);
    }
  }
  const bool is_denied = found.empty() && reference.text_at({"parameterNotFoundAction"}) == "Deny";
  if (is_denied) return invalid_error("no params found for policy binding with `Deny` parameterNotFoundAction");
  return found;
}

struct Denial {
  const Policy* policy;
  const PolicyBinding* binding;  // null: the policy itself is wrong
  std::string message;
  std::string reason;
};

// Calls `visit` for each policy, binding and param that the request matches, and `fail` for configuration errors.
void for_each_invocation(
    const World& world, const Policy& policy, const Attributes& attributes,
    const std::function<void(const PolicyBinding&, const std::string& version, const Tree& param)>& visit,
    const std::function<void(Denial)>& fail) {
  const auto version = matched_version(world, policy.match, attributes);
  if (!version) return;
  const ServedKind* param_kind = nullptr;
  if (!policy.param_kind.is_null()) {
    const auto api_version = policy.param_kind.text_at({"apiVersion"});
    const auto kind = policy.param_kind.text_at({"kind"});
    param_kind = world.kinds.find(api_version, kind);
    if (param_kind == nullptr) {
      const auto named = api_version + ", Kind=" + kind;
      return fail({&policy, nullptr,
                   "failed to configure policy: failed to find resource referenced by paramKind: '" + named + "'", ""});
    }
  }
  for (const auto& binding : policy.bindings) {
    if (!matched_version(world, binding.match, attributes)) continue;
    const auto params = params_for(world, param_kind, binding.param_ref, attributes.ns);
    if (!params) {
      fail({&policy, &binding, "failed to configure binding: " + params.error().text, ""});
      continue;
    }
    for (const auto& param : *params) visit(binding, *version, param);
  }
}

std::string checked_message(const PolicyCheck& check, const ExpressionInput& input, ExpressionBudget& budget) {
  if (!check.message_expression.text.empty()) {
    const auto value = input.evaluate(check.message_expression, budget);
    if (value.is(cel::Value::Kind::kString)) {
      auto text = std::string(base::trim(value.text()));
      const bool is_fine =
          !text.empty() && text.size() <= kMessageBytesOfPolicy && text.find('\n') == std::string::npos;
      if (is_fine) return text;
    }
  }
  if (!check.message.empty()) return check.message;
  return "failed expression: " + std::string(base::trim(check.expression.text));
}

// Evaluates a ValidatingAdmissionPolicy for a binding and a param.
class PolicyRun {
 public:
  PolicyRun(const Policy& policy, ExpressionInput& input) : policy_(policy), input_(input) {}

  [[nodiscard]] std::vector<Denial> denials() {
    const auto met = meets_conditions(policy_.conditions, input_, policy_.ignores_failures);
    if (!met.error.empty()) fail(met.error);
    if (!met.all) return std::move(denials_);
    ExpressionBudget budget;
    input_.set_variables(policy_.variables, budget);
    for (const auto& check : policy_.checks) {
      if (!run(check, budget)) return std::move(denials_);
    }
    ExpressionBudget of_annotations;
    for (const auto& annotation : policy_.annotations) {
      const auto value = input_.evaluate(annotation.value, of_annotations);
      if (value.is_error()) fail(value.text());
    }
    return std::move(denials_);
  }

 private:
  // False if the budget is exhausted: the error is the only one.
  bool run(const PolicyCheck& check, ExpressionBudget& budget) {
    const auto value = input_.evaluate(check.expression, budget);
    if (value.is_true()) return true;
    if (!value.is_error()) {
      denials_.push_back({&policy_, nullptr, checked_message(check, input_, budget), check.reason});
      return true;
    }
    const bool is_over = is_out_of_budget(value);
    if (is_over) denials_.clear();
    fail(value.text());
    return !is_over;
  }

  void fail(const std::string& why) {
    if (!policy_.ignores_failures) denials_.push_back({&policy_, nullptr, why, ""});
  }

  const Policy& policy_;
  ExpressionInput& input_;
  std::vector<Denial> denials_;
};

Rejection denied_by_policy(const Attributes& attributes, const Denial& denial) {
  auto message = "ValidatingAdmissionPolicy '" + denial.policy->name + "'";
  if (denial.binding != nullptr) message += " with binding '" + denial.binding->name + "'";
  message += " denied request: " + denial.message;
  auto rejected = forbidden_write(attributes, message);
  const auto reason = denial.reason.empty() ? std::string("Invalid") : denial.reason;
  rejected.code = code_of(reason);
  rejected.status["reason"] = reason;
  set_causes(rejected, {message});
  return rejected;
}

// As a PolicyError of kube-apiserver.
std::string mutation_error(const Denial& denial) {
  if (denial.binding == nullptr) {
    return "policy " + base::quote_go(denial.policy->name) + " denied request: " + denial.message;
  }
  return "policy '" + denial.policy->name + "' with binding '" + denial.binding->name +
         "' denied request: " + denial.message;
}

// The object after the operations of a JSON patch. One whose test fails changes nothing.
Result<Tree> json_patched(const Tree& object, const Tree& operations) {
  const auto patched = json::json_patch(object.text(), operations.text());
  if (!patched && patched.error().kind == Error::Kind::kSuperseded) return object;
  if (!patched) return invalid_error("JSON Patch: " + patched.error().text);
  KEELSON_LET(auto tree, Tree::parse(*patched));
  if (!tree.is_object()) return invalid_error("replace operation value must be object or array");
  return tree;
}

// The atomic lists and maps in the fields of an apply configuration, ".spec.volumes[0].x": a policy cannot merge them.
void find_atomic(const Tree& value, const std::string& path, const MergeType& type, std::vector<std::string>& found) {
  const bool is_container = value.is_object() || value.is_array();
  if (!is_container) return;
  const auto& rule = value.is_object() ? type.map : type.list;
  if (!path.empty() && rule.how == MergeRule::How::kAtomic) found.push_back(path);
  for (const auto& [name, member] : value.members()) {
    find_atomic(member, path + "." + name, type.member(name), found);
  }
  const auto& items = value.items();
  if (!type.items.is_declared()) return;
  for (std::size_t i = 0; i < items.size(); ++i) {
    find_atomic(items[i], path + "[" + std::to_string(i) + "]", type.items.type(), found);
  }
}

Result<Tree> configured(const ServedKind& kind, const Tree& object, Tree fields) {
  constexpr const char* kFailed = "error applying patch: ";
  for (const char* name : {"apiVersion", "kind"}) fields[name] = object.text_at({name});
  const auto& type = kind.merge_type();
  if (const auto wrong = apply_error(fields, type); wrong) {
    return invalid_error(kFailed + ("failed to convert patch object to typed object: " + *wrong));
  }
  std::vector<std::string> atomic;
  find_atomic(fields, "", type, atomic);
  if (!atomic.empty()) {
    std::string list;
    for (const auto& one : atomic) list += (list.empty() ? "" : ", ") + one;
    return invalid_error(kFailed +
                         ("invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: " + list));
  }
  const Manager policy{
      .name = "policy", .applies = true, .subresource = "", .api_version = "", .time = "", .fields = {}};
  return std::move(apply(object, {}, fields, policy, true, type).object);
}

// The object after a mutation, or the error text.
Result<Tree> mutated(const ServedKind& kind, const PolicyMutation& mutation, const ExpressionInput& input,
                     const Tree& object, ExpressionBudget& budget) {
  const auto value = input.evaluate(mutation.expression, budget);
  if (value.is_error()) return invalid_error(value.text());
  if (!mutation.expression.type_mismatch.empty()) return invalid_error(mutation.expression.type_mismatch);
  KEELSON_LET(const auto json, json_of(value));
  KEELSON_LET(const auto patch, Tree::parse(json.text()));
  return mutation.is_json_patch ? json_patched(object, patch) : configured(kind, object, patch);
}

// The values of a request, which are the same for all policies: converting a large object takes milliseconds.
class Inputs {
 public:
  Inputs(const World& world, const Attributes& attributes) : world_(world), attributes_(attributes) {}

  [[nodiscard]] ExpressionInput& with(const std::string& version, const Tree& param) {
    auto& input = inputs_.try_emplace(version, world_, attributes_, version).first->second;
    input.set_params(param);
    return input;
  }
  // The object has changed.
  void forget() { inputs_.clear(); }

 private:
  const World& world_;
  const Attributes& attributes_;
  std::map<std::string, ExpressionInput> inputs_;  // by the version of the resource
};

// Applies the MutatingAdmissionPolicies that a write matches.
class MutationRun {
 public:
  MutationRun(const World& world, const ServedKind& kind, Attributes& attributes)
      : world_(world), kind_(kind), attributes_(attributes), inputs_(world, attributes) {}

  void apply_all(const std::vector<Policy>& policies, bool only_reinvoked) {
    for (const auto& policy : policies) {
      if (only_reinvoked && !policy.is_reinvoked) continue;
      for_each_invocation(
          world_, policy, attributes_,
          [&](const PolicyBinding& binding, const std::string& version, const Tree& param) {
            apply_policy(policy, binding, version, param);
          },
          [&](Denial denial) { fail(std::move(denial)); });
    }
  }

  [[nodiscard]] bool has_changed() const { return has_changed_; }

  [[nodiscard]] RejectionOr<void> outcome() const {
    if (!wrong_object_.empty()) return internal_error(wrong_object_);
    if (failures_.empty()) return {};
    std::vector<std::string> messages;
    for (const auto& failure : failures_) messages.push_back(mutation_error(failure));
    auto rejected = forbidden_write(attributes_, "");
    rejected.status["message"] = messages.front();
    if (!failures_.front().reason.empty()) rejected.status["reason"] = failures_.front().reason;
    set_causes(rejected, messages);
    return rejected;
  }

 private:
  void apply_policy(const Policy& policy, const PolicyBinding& binding, const std::string& version, const Tree& param) {
    const auto met = meets_conditions(policy.conditions, inputs_.with(version, param), policy.ignores_failures);
    if (!met.error.empty()) fail({&policy, &binding, met.error, "Invalid"});
    if (!met.all) return;
    for (const auto& mutation : policy.mutations) {
      auto next = mutated_by(policy, mutation, version, param);
      const bool is_too_large = next && next->text().size() > limits::kObjectBytes;
      if (is_too_large) next = invalid_error("the object is too large after the mutation");
      if (!next) {
        fail({&policy, &binding, next.error().text, "Invalid"});
        continue;
      }
      if (const auto wrong = drop_unknown_fields(kind_, *next)) {
        wrong_object_ = *wrong;
        return;
      }
      pass_through_type(kind_, *next, &attributes_.object);
      if (*next == attributes_.object) continue;
      has_changed_ = true;
      attributes_.object = *std::move(next);
      inputs_.forget();
    }
  }

  // Each mutation sees the object after the one before it.
  [[nodiscard]] Result<Tree> mutated_by(const Policy& policy, const PolicyMutation& mutation,
                                        const std::string& version, const Tree& param) {
    ExpressionBudget budget;
    auto& input = inputs_.with(version, param);
    input.set_variables(policy.variables, budget);
    return mutated(kind_, mutation, input, attributes_.object, budget);
  }

  void fail(Denial denial) {
    if (!denial.policy->ignores_failures) failures_.push_back(std::move(denial));
  }

  const World& world_;
  const ServedKind& kind_;
  Attributes& attributes_;
  Inputs inputs_;
  std::vector<Denial> failures_;
  std::string wrong_object_;  // why the object that a mutation made is not one of its kind
  bool has_changed_ = false;
};

}  // namespace

std::vector<PolicyVariable> policy_variables(const Tree& spec, ExpressionScope& scope) {
  std::vector<PolicyVariable> variables;
  auto described = spec.items_at({"variables"});
  if (described.empty()) return variables;
  if (described.size() > limits::kSandboxPolicyVariables) described.resize(limits::kSandboxPolicyVariables);
  cel::Type type{.kind = cel::Value::Kind::kMap, .name = "kubernetes.variables", .is_object = true};
  scope.variables = std::make_shared<const cel::Type>(type);
  for (const auto& variable : described) {
    auto compiled = compile_expression(variable.text_at({"expression"}), scope, ExpressionResult::kAny);
    const auto name = variable.text_at({"name"});
    type.fields[name] = compiled.program ? compiled.program->result() : cel::dyn_type();
    scope.variables = std::make_shared<const cel::Type>(type);
    variables.push_back({name, std::move(compiled)});
  }
  return variables;
}

void Policies::hear(const Change& change) {
  const auto& resource = change.kind->resource;
  if (resource.group == kPolicyGroup && !resource.plural.ends_with("webhookconfigurations")) is_stale_ = true;
}

bool Policies::has_mutating() {
  if (is_stale_) compile();
  return !mutating_.empty();
}

bool Policies::has_validating() {
  if (is_stale_) compile();
  return !validating_.empty();
}

RejectionOr<void> Policies::mutate(const ServedKind& kind, Attributes& attributes, bool only_reinvoked) {
  if (!has_mutating() || is_exempt_from_policies(attributes) || attributes.object.is_null()) return {};
  MutationRun run(world_, kind, attributes);
  if (!only_reinvoked) run.apply_all(mutating_, false);
  if (only_reinvoked || run.has_changed()) run.apply_all(mutating_, true);
  return run.outcome();
}

RejectionOr<void> Policies::validate(const Attributes& attributes, std::vector<std::string>& warnings) {
  if (!has_validating() || is_exempt_from_policies(attributes)) return {};
  std::optional<Rejection> rejected;
  Inputs inputs(world_, attributes);
  auto deny = [&](const Denial& denial) {
    if (!rejected) rejected = denied_by_policy(attributes, denial);
  };
  for (const auto& policy : validating_) {
    auto fail = [&](const Denial& denial) {
      if (!policy.ignores_failures) deny(denial);
    };
    auto visit = [&](const PolicyBinding& binding, const std::string& version, const Tree& param) {
      for (auto& denial : PolicyRun(policy, inputs.with(version, param)).denials()) {
        denial.binding = &binding;
        if (contains(binding.actions, "Deny")) deny(denial);
        if (!contains(binding.actions, "Warn")) continue;
        warnings.push_back("Validation failed for ValidatingAdmissionPolicy '" + policy.name + "' with binding '" +
                           binding.name + "': " + denial.message);
      }
    };
    for_each_invocation(world_, policy, attributes, visit, fail);
  }
  if (rejected) return *std::move(rejected);
  return {};
}

void Policies::compile() {
  is_stale_ = false;
  auto policies_of = [this](const kube::Resource& resource, const kube::Resource& bindings) {
    std::vector<Policy> policies;
    for (const auto& [key, entry] : world_.store.all(*world_.kinds.find(resource))) {
      if (entry.object.deleting()) continue;
      policies.push_back(compiled_policy(key.name, entry.stored().tree.copy_at({"spec"})));
    }
    for (const auto& [key, entry] : world_.store.all(*world_.kinds.find(bindings))) {
      const auto spec = entry.stored().tree.copy_at({"spec"});
      const auto name = spec.text_at({"policyName"});
      const auto policy = std::ranges::find(policies, name, &Policy::name);
      if (policy != policies.end()) policy->bindings.push_back(compiled_binding(key.name, spec));
    }
    std::erase_if(policies, [](const Policy& policy) { return policy.bindings.empty(); });
    return policies;
  };
  mutating_ = policies_of(policy_resource("MutatingAdmissionPolicy", "mutatingadmissionpolicies"),
                          policy_resource("MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings"));
  validating_ = policies_of(policy_resource("ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
                            policy_resource("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"));
}

}  // namespace keelson::sandbox
