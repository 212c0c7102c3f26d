import {
  type PolicySet,
  parseImageRef,
  type ResourceId,
  type ResourceStatus,
  toldResourceId,
} from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import type { Line } from "../../../../../cmd/fluxctl/top/line.ts";
import {
  type Findings,
  initialState,
  type Key,
  type TopEvent,
  type TopState,
} from "../../../../../cmd/fluxctl/top/model.ts";
import { update } from "../../../../../cmd/fluxctl/top/update.ts";
import { view } from "../../../../../cmd/fluxctl/top/view.ts";

/** A resource in good health and as in git, except for what's given. */
export function resource(id: string, rest: Partial<ResourceStatus> = {}): ResourceStatus {
  return {
    id: toldResourceId(id),
    apiVersion: "v1",
    source: "a.yaml",
    sync: "Synced",
    health: "Healthy",
    message: "",
    children: [],
    ...rest,
  };
}

/** A workload with one image. */
export function workload(id: string, policies: PolicySet = {}): WorkloadStatusReport {
  return {
    id: toldResourceId(id),
    containers: [{ name: "main", image: parseImageRef("example.test/app:1") }],
    readOnly: "",
    status: "ready",
    rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: null },
    syncError: "",
    antecedent: "",
    labels: {},
    policies,
  };
}

/** What fluxd says. */
export function findings(
  resources: readonly ResourceStatus[],
  workloads: readonly WorkloadStatusReport[] = [],
  unapplied: number | undefined = 0,
): Findings {
  const byId: ReadonlyMap<ResourceId, WorkloadStatusReport> = new Map(
    workloads.map((each) => [each.id, each] as const),
  );
  return { revision: "0123456789", resources, workloads: byId, unapplied };
}

/** A shop: a healthy Deployment, one with a Pod that fails, a ConfigMap that differs, and one elsewhere. */
export const shop: Findings = findings(
  [
    resource("shop:configmap/settings", { health: "", sync: "OutOfSync" }),
    resource("shop:deployment/api", {
      health: "Degraded",
      message: "too slow",
      children: [
        resource("shop:replicaset/api-1", {
          sync: "",
          children: [resource("shop:pod/api-1-x", { sync: "", health: "Degraded", message: "cannot pull" })],
        }),
      ],
    }),
    resource("shop:deployment/web", { children: [resource("shop:pod/web-1", { sync: "" })] }),
    resource("tools:configmap/other", { health: "" }),
  ],
  [workload("shop:deployment/api"), workload("shop:deployment/web", { locked: "true", automated: "true" })],
);

/** A state with findings, on a terminal of that size. */
export function stateWith(found: Findings = shop, columns = 100, rows = 30): TopState {
  return after(initialState("fluxctl top", columns, rows), { kind: "found", findings: found });
}

/** The state after some events. */
export function after(state: TopState, ...events: readonly TopEvent[]): TopState {
  return events.reduce((before, event) => update(before, event).state, state);
}

/** The state after some keys. */
export function press(state: TopState, ...keys: readonly Key[]): TopState {
  return after(state, ...keys.map((key) => ({ kind: "key", key }) as const));
}

/** The screen as text, without empty lines and spaces at the ends of lines. */
export function textOf(state: TopState): string {
  return view(state)
    .map(textOfLine)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}

/** A line as text. */
export function textOfLine({ spans }: Line): string {
  return spans.map(({ text }) => text).join("");
}
