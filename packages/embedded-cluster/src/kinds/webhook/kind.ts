import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { listAt, type Tree, type TreeNode } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { admissionDefaulters } from "./defaults.ts";
import { admissionPolicyRules, webhookRules } from "./rules.ts";

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
