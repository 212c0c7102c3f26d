import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import {
  cronJobRollout,
  daemonSetRollout,
  deploymentRollout,
  helmReleaseRollout,
  statefulSetRollout,
} from "../../../src/engine-adapter/rollout-status.ts";

function live(kind: string, spec: JsonObject, status: JsonObject, generation = 1): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name: "x", namespace: "default", generation },
    spec,
    status,
  };
}

describe("rollout of a Deployment", () => {
  it("is started until its controller has seen the definition", () => {
    const deployment = live("Deployment", { replicas: 2 }, { observedGeneration: 1, updatedReplicas: 2 }, 2);

    assert.equal(deploymentRollout(deployment).status, "started");
  });

  it("is updating while old replicas are there", () => {
    const status = {
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 2,
      readyReplicas: 3,
      availableReplicas: 2,
    };

    assert.deepEqual(deploymentRollout(live("Deployment", { replicas: 2 }, status)), {
      status: "updating",
      rollout: { desired: 2, updated: 2, ready: 3, available: 2, outdated: 1, messages: null },
    });
  });

  it("is ready when all replicas are updated and available", () => {
    const status = {
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
    };

    assert.equal(deploymentRollout(live("Deployment", { replicas: 2 }, status)).status, "ready");
  });

  it("is an error with the texts of the conditions that say so", () => {
    const status = {
      observedGeneration: 1,
      conditions: [
        { type: "Available", status: "False", message: "not counted" },
        { type: "Progressing", status: "False", message: "deadline exceeded" },
        { type: "ReplicaFailure", status: "True", message: "quota" },
      ],
    };

    const { status: word, rollout } = deploymentRollout(live("Deployment", { replicas: 1 }, status));

    assert.equal(word, "error");
    assert.deepEqual(rollout.messages, ["deadline exceeded", "quota"]);
  });
});

describe("rollout of a DaemonSet", () => {
  it("counts scheduled pods", () => {
    const status = {
      observedGeneration: 1,
      desiredNumberScheduled: 3,
      currentNumberScheduled: 3,
      updatedNumberScheduled: 3,
      numberReady: 3,
      numberAvailable: 3,
    };

    assert.deepEqual(daemonSetRollout(live("DaemonSet", {}, status)), {
      status: "ready",
      rollout: { desired: 3, updated: 3, ready: 3, available: 3, outdated: 0, messages: null },
    });
  });
});

describe("rollout of a StatefulSet", () => {
  const settled = { observedGeneration: 1, readyReplicas: 3, currentReplicas: 3, updatedReplicas: 1 };

  it("counts current replicas once the revisions agree", () => {
    const status = { ...settled, currentRevision: "a", updateRevision: "a" };

    assert.equal(statefulSetRollout(live("StatefulSet", { replicas: 3 }, status)).status, "ready");
  });

  it("wants only the replicas above the partition", () => {
    const spec = {
      replicas: 3,
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } },
    };
    const status = { ...settled, currentRevision: "a", updateRevision: "b" };

    assert.deepEqual(statefulSetRollout(live("StatefulSet", spec, status)), {
      status: "ready",
      rollout: { desired: 1, updated: 1, ready: 3, available: 3, outdated: 0, messages: null },
    });
  });

  it("never wants fewer than none", () => {
    const spec = {
      replicas: 1,
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 5 } },
    };

    assert.equal(statefulSetRollout(live("StatefulSet", spec, {})).rollout.desired, 0);
  });
});

describe("kinds that roll nothing out", () => {
  it("a CronJob is always ready, a HelmRelease says it in its own words", () => {
    assert.equal(cronJobRollout().status, "ready");
    assert.equal(
      helmReleaseRollout(live("HelmRelease", {}, { releaseStatus: "deployed" })).status,
      "deployed",
    );
    assert.equal(helmReleaseRollout(live("HelmRelease", {}, {})).status, "");
  });
});
