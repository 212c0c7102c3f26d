import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { healthOf } from "../../../src/health/health.ts";
import type { HealthStatus } from "../../../src/health/health-status.ts";
import { argoFolder, readObject } from "../../support/health-cases.ts";

/** What gitops-engine's own tests expect of its fixtures. */
const expected: Readonly<Record<string, HealthStatus | undefined>> = {
  "../../utils/kube/testdata/nginx.yaml": "Healthy",
  "apiservice-v1-false.yaml": "Progressing",
  "apiservice-v1-true.yaml": "Healthy",
  "apiservice-v1beta1-false.yaml": "Progressing",
  "apiservice-v1beta1-true.yaml": "Healthy",
  "application-degraded.yaml": undefined,
  "application-healthy.yaml": undefined,
  "daemonset-ondelete.yaml": "Healthy",
  "deployment-degraded.yaml": "Degraded",
  "deployment-progressing.yaml": "Progressing",
  "deployment-suspended.yaml": "Suspended",
  "hpa-v1-degraded-failedgetobjectmetric.yaml": "Degraded",
  "hpa-v1-degraded.yaml": "Degraded",
  "hpa-v1-healthy-toofew.yaml": "Healthy",
  "hpa-v1-healthy.yaml": "Healthy",
  "hpa-v1-progressing-with-no-annotations.yaml": "Progressing",
  "hpa-v1-progressing.yaml": "Progressing",
  "hpa-v2-degraded.yaml": "Degraded",
  "hpa-v2-healthy.yaml": "Healthy",
  "hpa-v2-progressing.yaml": "Progressing",
  "ingress-nonemptylist.yaml": "Healthy",
  "ingress-unassigned.yaml": "Progressing",
  "ingress.yaml": "Healthy",
  "job-failed.yaml": "Degraded",
  "job-running.yaml": "Progressing",
  "job-succeeded.yaml": "Healthy",
  "job-suspended.yaml": "Suspended",
  "knative-service.yaml": undefined,
  "pod-crashloop.yaml": "Degraded",
  "pod-deletion.yaml": "Progressing",
  "pod-error.yaml": "Degraded",
  "pod-failed.yaml": "Degraded",
  "pod-imagepullbackoff.yaml": "Degraded",
  "pod-pending.yaml": "Progressing",
  "pod-running-not-ready.yaml": "Progressing",
  "pod-running-restart-always.yaml": "Healthy",
  "pod-running-restart-never-hook-with-ignore-annotation.yaml": "Progressing",
  "pod-running-restart-never-with-ignore-annotation-backoff.yaml": "Degraded",
  "pod-running-restart-never-with-ignore-annotation.yaml": "Healthy",
  "pod-running-restart-never.yaml": "Progressing",
  "pod-running-restart-onfailure.yaml": "Progressing",
  "pod-succeeded.yaml": "Healthy",
  "pvc-bound.yaml": "Healthy",
  "pvc-pending.yaml": "Progressing",
  "statefulset-ondelete.yaml": "Healthy",
  "statefulset.yaml": "Healthy",
  "svc-clusterip.yaml": "Healthy",
  "svc-loadbalancer-nonemptylist.yaml": "Healthy",
  "svc-loadbalancer-unassigned.yaml": "Progressing",
  "svc-loadbalancer.yaml": "Healthy",
};

const folder = join(argoFolder(), "gitops-engine", "pkg", "health", "testdata");

describe("the built-in rules, with the fixtures of gitops-engine", () => {
  it("are compared on all fixtures", () => {
    const known = Object.keys(expected).filter((file) => !file.includes("/"));
    assert.deepEqual(readdirSync(folder).sort(), known.sort());
  });

  for (const [file, status] of Object.entries(expected)) {
    it(file, () => assert.equal(healthOf(readObject(join(folder, file)))?.status, status));
  }
});
