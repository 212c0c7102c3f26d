import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { groupOf, versionOf } from "../../../src/gvk.ts";
import { kindsByApiVersion, typeLines } from "../../../src/patch/builtin-schema-table.ts";
import { builtinPatchSchema } from "../../../src/patch/builtin-schemas.ts";
import type { PatchField } from "../../../src/patch/patch-schema.ts";
import { parseTypeLine, printTypeLine } from "../../../src/patch/schema-table.ts";

describe("builtinPatchSchema", () => {
  const fields: readonly (readonly [string, string, string, string])[] = [
    ["v1", "Pod", "spec.containers", "merge by name"],
    ["v1", "Pod", "spec.containers.ports", "merge by containerPort"],
    ["v1", "Pod", "spec.volumes", "merge,retainKeys by name"],
    ["v1", "Pod", "spec.tolerations", "nothing"],
    ["v1", "Pod", "spec.containers.resources.limits", "quantity"],
    ["v1", "Pod", "metadata.finalizers", "merge"],
    ["v1", "ConfigMap", "metadata.ownerReferences", "merge by uid"],
    ["v1", "Service", "spec.ports", "merge by port"],
    ["v1", "ServiceAccount", "imagePullSecrets", "nothing"],
    ["v1", "ServiceAccount", "secrets", "merge by name"],
    ["apps/v1", "Deployment", "spec.strategy", "retainKeys"],
    ["apps/v1", "StatefulSet", "spec.volumeClaimTemplates.spec.resources.requests", "quantity"],
    ["batch/v1", "CronJob", "spec.jobTemplate.spec.template.spec.containers.env", "merge by name"],
    ["policy/v1", "PodDisruptionBudget", "spec.selector", "replace"],
    ["admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "webhooks", "merge by name"],
    ["apiextensions.k8s.io/v1", "CustomResourceDefinition", "metadata.finalizers", "merge"],
  ];
  for (const [apiVersion, kind, path, expected] of fields) {
    it(`knows ${path} of ${apiVersion} ${kind}`, () => {
      assert.equal(printField(fieldAt(apiVersion, kind, path)), expected);
    });
  }

  const old: readonly (readonly [string, string, string, string])[] = [
    ["extensions/v1beta1", "Deployment", "spec.template.spec.containers", "merge by name"],
    ["extensions/v1beta1", "Ingress", "metadata.finalizers", "merge"],
    ["extensions/v1beta1", "PodSecurityPolicy", "metadata.finalizers", "merge"],
    ["apps/v1beta1", "StatefulSet", "spec.template.spec.volumes", "merge,retainKeys by name"],
    ["apps/v1beta2", "DaemonSet", "spec.template.spec.containers", "merge by name"],
    ["batch/v1beta1", "CronJob", "spec.jobTemplate.spec.template.spec.containers", "merge by name"],
    ["batch/v2alpha1", "CronJob", "spec.jobTemplate.spec.template.spec.containers", "merge by name"],
    ["policy/v1beta1", "PodDisruptionBudget", "spec.selector", "nothing"],
    ["policy/v1beta1", "PodDisruptionBudget", "status.conditions", "merge by type"],
    ["rbac.authorization.k8s.io/v1beta1", "ClusterRole", "metadata.finalizers", "merge"],
    [
      "autoscaling/v2beta2",
      "HorizontalPodAutoscaler",
      "spec.metrics.resource.target.averageValue",
      "quantity",
    ],
  ];
  for (const [apiVersion, kind, path, expected] of old) {
    it(`knows ${path} of ${apiVersion} ${kind}, which is served no more`, () => {
      assert.equal(printField(fieldAt(apiVersion, kind, path)), expected);
    });
  }

  const foreign: readonly (readonly [string, string])[] = [
    ["charts.example.com/v1", "HelmRelease"],
    ["example.com/v1", "Deployment"],
    ["apps/v1", "Widget"],
    ["apps/v9", "Deployment"],
    ["v1", "List"],
    ["v1", "PodList"],
    ["__proto__/v1", "constructor"],
    ["__proto__", "toString"],
    ["v1", "__proto__"],
  ];
  for (const [apiVersion, kind] of foreign) {
    it(`does not know ${apiVersion} ${kind}`, () => {
      assert.equal(
        builtinPatchSchema({ group: groupOf(apiVersion), version: versionOf(apiVersion), kind }),
        undefined,
      );
    });
  }

  it("does not take what objects inherit for fields", () => {
    const schema = builtinPatchSchema({ group: "", version: "v1", kind: "Pod" });

    assert.equal(schema?.field("constructor"), undefined);
    assert.equal(schema?.field("__proto__"), undefined);
  });
});

describe("the shipped table", () => {
  it("reads and prints each of its lines", () => {
    for (const line of Object.values(typeLines)) {
      assert.equal(printTypeLine(parseTypeLine(line)), line);
    }
  });

  it("has a line for each type that it names", () => {
    const inLines = Object.values(typeLines).flatMap((line) => [...parseTypeLine(line).values()]);
    const ofKinds = Object.values(kindsByApiVersion).flatMap((kinds) => kinds.split(" "));
    const named = [...inLines.map(({ type }) => type), ...ofKinds.map((entry) => entry.split("=")[1])];

    const missing = named.filter((type) => type !== undefined && !Object.hasOwn(typeLines, type));

    assert.deepEqual(missing, []);
  });
});

function fieldAt(apiVersion: string, kind: string, path: string): PatchField | undefined {
  let schema = builtinPatchSchema({ group: groupOf(apiVersion), version: versionOf(apiVersion), kind });
  let field: PatchField | undefined;
  for (const name of path.split(".")) {
    field = schema?.field(name);
    schema = field?.schema;
  }
  return field;
}

function printField(field: PatchField | undefined): string {
  const { strategies = [], mergeKey, isQuantity } = field ?? {};
  const key = mergeKey === undefined ? "" : ` by ${mergeKey}`;
  return `${strategies.join(",")}${key}${isQuantity === true ? "quantity" : ""}` || "nothing";
}
