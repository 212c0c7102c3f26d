import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { V1Pod } from "@kubernetes/client-node";
import { accountOf, podFinding } from "../../../../../cmd/fluxctl/check/pod.ts";

function pod(status: object, name = "flux-1", metadata: object = {}): V1Pod {
  return { metadata: { name, ...metadata }, status };
}

function running(container: object): V1Pod {
  return pod({ phase: "Running", containerStatuses: [{ image: "weir:1", restartCount: 0, ...container }] });
}

function finding(...pods: readonly V1Pod[]) {
  return podFinding(pods, "flux", ["app=flux", "name in (flux)"]);
}

describe("podFinding", () => {
  for (const [what, pods, verdict, found, advice] of [
    [
      "no pod",
      [],
      "failed",
      "no fluxd pod in namespace flux has the labels app=flux or name in (flux)",
      /--k8s-fwd-ns/,
    ],
    [
      "pods on their way out",
      [pod({}, "old", { deletionTimestamp: "2020-01-01T00:00:00Z" })],
      "failed",
      "no fluxd pod in namespace flux has the labels app=flux or name in (flux)",
      /fluxctl install/,
    ],
    [
      "two pods",
      [pod({}, "a"), pod({}, "b")],
      "failed",
      "namespace flux has more than one fluxd pod: a, b",
      /--k8s-fwd-labels/,
    ],
    [
      "one that is ready",
      [running({ ready: true })],
      "passed",
      "pod flux-1 in flux is ready and runs weir:1",
      /^$/,
    ],
    [
      "one that was started again",
      [running({ ready: true, restartCount: 3 })],
      "warning",
      "pod flux-1 in flux is ready and runs weir:1, but has restarted 3 times",
      /kubectl logs -n flux flux-1 --previous/,
    ],
    [
      "one that begins",
      [running({ ready: false })],
      "failed",
      "pod flux-1 is not ready (Running)",
      /wait a moment/,
    ],
    [
      "one that is being made",
      [
        pod({
          phase: "Pending",
          containerStatuses: [{ state: { waiting: { reason: "ContainerCreating" } } }],
        }),
      ],
      "failed",
      "pod flux-1 is not ready (Pending)",
      /wait a moment/,
    ],
    [
      "one without an image",
      [running({ state: { waiting: { reason: "ImagePullBackOff", message: "Back-off pulling" } } })],
      "failed",
      "pod flux-1 is not running: ImagePullBackOff: Back-off pulling",
      /make sure that the image/,
    ],
    [
      "one that ends again and again",
      [running({ state: { waiting: { reason: "CrashLoopBackOff" } } })],
      "failed",
      "pod flux-1 is not running: CrashLoopBackOff",
      /kubectl logs -n flux flux-1 --previous/,
    ],
    [
      "one that lacks a secret",
      [
        running({
          state: { waiting: { reason: "CreateContainerConfigError", message: "secret not found" } },
        }),
      ],
      "failed",
      "pod flux-1 is not running: CreateContainerConfigError: secret not found",
      /kubectl describe pod -n flux flux-1/,
    ],
    [
      "one without a node",
      [pod({ phase: "Pending", conditions: [{ reason: "Unschedulable", message: "0/3 nodes" }] })],
      "failed",
      "pod flux-1 cannot be scheduled: 0/3 nodes",
      /free up resources/,
    ],
  ] as const) {
    it(`knows ${what}`, () => {
      const { advice: told, ...rest } = finding(...pods);

      assert.deepEqual(rest, { subject: "pod", verdict, found });
      assert.match(told, advice);
    });
  }
});

describe("accountOf", () => {
  it("is the service account of a pod, the default one where none is named", () => {
    assert.equal(accountOf({ spec: { serviceAccountName: "flux", containers: [] } }), "flux");
    assert.equal(accountOf({}), "default");
    assert.equal(accountOf(undefined), "default");
  });
});
