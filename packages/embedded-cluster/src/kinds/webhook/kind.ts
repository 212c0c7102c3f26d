import type { Defaulter } from "../../schema/apply-defaults.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { listAt, setDefault, type Tree, type TreeNode } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { admissionPolicyRules, webhookRules } from "./rules.ts";

const group = "io.k8s.api.admissionregistration.v1";

/** The defaults of webhook and policy configurations. */
const admissionDefaulters: Readonly<Record<string, Defaulter>> = {
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

function webhookCells(configuration: Tree, now: number): TreeNode[] {
  return [nameOf(configuration), listAt(configuration, "webhooks").length, ageOf(configuration, now)];
}

/** Webhook configurations, and policies in the language CEL. */
export const webhookKinds: readonly Kind[] = [
  {
    bucket: "mutatingwebhookconfigurations.admissionregistration.k8s.io",
    rules: webhookRules,
    defaults: admissionDefaulters,
    cells: webhookCells,
  },
  {
    bucket: "validatingwebhookconfigurations.admissionregistration.k8s.io",
    rules: webhookRules,
    cells: webhookCells,
  },
  { bucket: "validatingadmissionpolicies.admissionregistration.k8s.io", rules: admissionPolicyRules },
  { bucket: "validatingadmissionpolicybindings.admissionregistration.k8s.io", rules: admissionPolicyRules },
];
