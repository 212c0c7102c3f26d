import type { Defaulter } from "../../schema/apply-defaults.ts";
import { setDefault, type Tree } from "../../tree.ts";

const group = "io.k8s.api.admissionregistration.v1";

/** The defaults of webhook and policy configurations. */
export const admissionDefaulters: Readonly<Record<string, Defaulter>> = {
  [`${group}.ValidatingWebhook`]: defaultWebhook,
  [`${group}.MutatingWebhook`]: (webhook) => {
    defaultWebhook(webhook);
    setDefault(webhook, "reinvocationPolicy", "Never");
  },
  [`${group}.RuleWithOperations`]: (rule) => setDefault(rule, "scope", "*"),
  [`${group}.NamedRuleWithOperations`]: (rule) => setDefault(rule, "scope", "*"),
  [`${group}.ServiceReference`]: (service) => setDefault(service, "port", 443),
  [`${group}.ValidatingAdmissionPolicySpec`]: (spec) => setDefault(spec, "failurePolicy", "Fail"),
  [`${group}.MatchResources`]: defaultMatch,
};

function defaultWebhook(webhook: Tree): void {
  setDefault(webhook, "failurePolicy", "Fail");
  setDefault(webhook, "timeoutSeconds", 10);
  defaultMatch(webhook);
}

function defaultMatch(match: Tree): void {
  setDefault(match, "matchPolicy", "Equivalent");
  setDefault(match, "namespaceSelector", {});
  setDefault(match, "objectSelector", {});
}
