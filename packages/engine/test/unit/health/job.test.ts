import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { jobHealth } from "../../../src/health/job.ts";

describe("jobHealth", () => {
  it("is progressing while it runs", () => {
    const live = kubeObject`
      apiVersion: batch/v1
      kind: Job
      metadata: { name: migrate }
      status: { active: 1 }
    `;

    assert.deepEqual(jobHealth(live), { status: "Progressing", message: "" });
  });

  it("is healthy when complete", () => {
    const live = kubeObject`
      apiVersion: batch/v1
      kind: Job
      metadata: { name: migrate }
      status:
        conditions:
          - { type: SuccessCriteriaMet, status: "True" }
          - { type: Complete, status: "True" }
    `;

    assert.deepEqual(jobHealth(live), { status: "Healthy", message: "" });
  });

  it("is degraded when failed", () => {
    const live = kubeObject`
      apiVersion: batch/v1
      kind: Job
      metadata: { name: migrate }
      status: { conditions: [{ type: Failed, status: "True", message: backoff limit exceeded }] }
    `;

    assert.deepEqual(jobHealth(live), { status: "Degraded", message: "backoff limit exceeded" });
  });

  it("is suspended when suspended", () => {
    const live = kubeObject`
      apiVersion: batch/v1
      kind: Job
      metadata: { name: migrate }
      status: { conditions: [{ type: Suspended, status: "True", message: Job suspended }] }
    `;

    assert.deepEqual(jobHealth(live), { status: "Suspended", message: "Job suspended" });
  });

  it("is progressing again when resumed", () => {
    const live = kubeObject`
      apiVersion: batch/v1
      kind: Job
      metadata: { name: migrate }
      status: { conditions: [{ type: Suspended, status: "False" }] }
    `;

    assert.deepEqual(jobHealth(live), { status: "Progressing", message: "" });
  });
});
