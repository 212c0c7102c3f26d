import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { healthOf } from "../../../src/health/health.ts";

function argo(kind: string, status: JsonObject | undefined, spec: JsonObject = {}): KubeObject {
  const live = { apiVersion: "argoproj.io/v1alpha1", kind, metadata: { name: "a", generation: 2 }, spec };
  return status === undefined ? live : { ...live, status };
}

function statusOf(live: KubeObject): string | undefined {
  return healthOf(live)?.status;
}

describe("kinds of Argo", () => {
  for (const kind of ["Workflow", "AnalysisRun", "Experiment"]) {
    it(`judges a ${kind} by its phase`, () => {
      assert.equal(statusOf(argo(kind, undefined)), "Progressing");
      assert.equal(statusOf(argo(kind, { phase: "Pending" })), "Progressing");
      assert.equal(statusOf(argo(kind, { phase: "Running" })), "Progressing");
      assert.equal(statusOf(argo(kind, { phase: "Failed" })), "Degraded");
      assert.deepEqual(healthOf(argo(kind, { phase: "Error", message: "pod deleted" })), {
        status: "Degraded",
        message: "pod deleted",
      });
    });
  }

  it("is healthy when a run has succeeded, and unknown when its result is", () => {
    assert.equal(statusOf(argo("Workflow", { phase: "Succeeded" })), "Healthy");
    assert.equal(statusOf(argo("AnalysisRun", { phase: "Successful" })), "Healthy");
    assert.equal(statusOf(argo("AnalysisRun", { phase: "Inconclusive" })), "Unknown");
  });

  it("judges a Rollout by its phase, once its definition is observed", () => {
    assert.equal(statusOf(argo("Rollout", undefined)), "Progressing");
    assert.equal(statusOf(argo("Rollout", { observedGeneration: "1", phase: "Healthy" })), "Progressing");
    assert.equal(statusOf(argo("Rollout", { observedGeneration: "2", phase: "Healthy" })), "Healthy");
    assert.equal(statusOf(argo("Rollout", { observedGeneration: "2", phase: "Paused" })), "Suspended");
    assert.equal(statusOf(argo("Rollout", { observedGeneration: "2", phase: "Degraded" })), "Degraded");
    assert.equal(statusOf(argo("Rollout", { observedGeneration: "2", phase: "Progressing" })), "Progressing");
    assert.equal(statusOf(argo("Rollout", { observedGeneration: "2" })), undefined);
  });

  it("waits until a Rollout has observed the workload that it refers to", () => {
    const live = argo(
      "Rollout",
      { observedGeneration: "2", workloadObservedGeneration: "3", phase: "Healthy" },
      { workloadRef: { kind: "Deployment", name: "a" } },
    );
    const annotated = (generation: string): KubeObject => ({
      ...live,
      metadata: { ...live.metadata, annotations: { "rollout.argoproj.io/workload-generation": generation } },
    });

    assert.equal(statusOf(annotated("4")), "Progressing");
    assert.equal(statusOf(annotated("3")), "Healthy");
  });

  it("judges a CronWorkflow by whether it can start workflows", () => {
    const failed = { conditions: [{ type: "SubmissionError", status: "True", message: "forbidden" }] };

    assert.equal(statusOf(argo("CronWorkflow", undefined)), "Healthy");
    assert.equal(statusOf(argo("CronWorkflow", {}, { suspend: true })), "Suspended");
    assert.deepEqual(healthOf(argo("CronWorkflow", failed)), { status: "Degraded", message: "forbidden" });
  });

  it("judges an ApplicationSet by its applications", () => {
    const withConditions = (...pairs: readonly (readonly [string, string])[]): KubeObject =>
      argo("ApplicationSet", { conditions: pairs.map(([type, status]) => ({ type, status })) });

    assert.equal(statusOf(argo("ApplicationSet", undefined)), "Progressing");
    assert.equal(statusOf(withConditions(["ResourcesUpToDate", "True"])), "Healthy");
    assert.equal(statusOf(withConditions(["ResourcesUpToDate", "False"])), "Degraded");
    assert.equal(
      statusOf(withConditions(["ResourcesUpToDate", "True"], ["ErrorOccurred", "True"])),
      "Degraded",
    );
    assert.equal(
      statusOf(withConditions(["ResourcesUpToDate", "True"], ["RolloutProgressing", "True"])),
      "Progressing",
    );
  });

  it("judges an EventBus by its deployment", () => {
    const withStatus = (status: string): KubeObject =>
      argo("EventBus", { conditions: [{ type: "Deployed", status, reason: "Why" }] });

    assert.equal(statusOf(argo("EventBus", undefined)), "Progressing");
    assert.equal(statusOf(withStatus("True")), "Healthy");
    assert.deepEqual(healthOf(withStatus("False")), { status: "Degraded", message: "Why" });
  });
});
