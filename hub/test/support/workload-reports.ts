import { makeResourceId, parseImageRef } from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";

/** Deployments as a daemon lists them, all of which are ready. */
export function deployments(count: number): readonly WorkloadStatusReport[] {
  return Array.from({ length: count }, (_, index) => ({
    id: makeResourceId("shop", "deployment", `web-${index}`),
    containers: [{ name: "app", image: parseImageRef(`ghcr.io/example/web-${index}:1.0`) }],
    readOnly: "",
    status: "ready",
    rollout: { desired: 2, updated: 2, ready: 2, available: 2, outdated: 0, messages: null },
    syncError: "",
    antecedent: "",
    labels: null,
    policies: {},
  }));
}
