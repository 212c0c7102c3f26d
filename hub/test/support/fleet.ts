import { createHash } from "node:crypto";
import type { Session } from "../../src/contract/access.ts";
import type { ConsoleEvent } from "../../src/contract/events.ts";
import type { Instance } from "../../src/contract/instances.ts";
import type { Job } from "../../src/contract/jobs.ts";
import type { Health, TreeNode, Workload } from "../../src/contract/workloads.ts";

/** Text that would do harm if it weren't shown as text. */
export const hostile = `<img src=x onerror="document.title='taken over'"><script>alert(1)</script>`;

/** What a console knows of some clusters, made up: the same for the same time. */
export interface Fleet {
  readonly instances: readonly Instance[];
  readonly workloads: readonly Workload[];
  readonly events: readonly ConsoleEvent[];
  readonly jobs: readonly Job[];
  readonly session: Session;
}

const minute = 60_000;
const hour = 60 * minute;

const places = [
  ["production-eu", "Frankfurt, customers in Europe"],
  ["production-us", "Virginia, customers in America"],
  ["production-ap", "Singapore, customers in Asia"],
  ["staging", "Everything, one day earlier"],
  ["development", "Open for all teams"],
  ["edge-berlin", "Shops in Berlin and Potsdam"],
  ["analytics", undefined],
] as const;

const teams = ["checkout", "catalog", "search", "payments", "identity", "shipping", "media", "platform"];
const services = ["api", "web", "worker", "gateway", "indexer", "mailer", "cache", "scheduler", "importer"];
const kinds = ["deployment", "deployment", "deployment", "statefulset", "daemonset", "cronjob"];

/** Makes a fleet with this many workloads, as of a time in milliseconds; some texts in it would do harm, unless it's tame. */
export function makeFleet(now: number, count: number, { isTame = false } = {}): Fleet {
  const before = (ms: number): string => new Date(now - ms).toISOString();
  const harm = isTame ? undefined : hostile;
  const bare = places.map(([name, text], index) =>
    makeInstance({ name, description: text ?? harm ?? "Reports for everybody", index, before }),
  );
  const workloads = Array.from({ length: count }, (_, index) =>
    makeWorkload(index, { instances: bare, before, harm }),
  );
  const instances = bare.map((instance) => ({
    ...instance,
    workloads: countWorkloads(workloads.filter((workload) => workload.instance.id === instance.id)),
  }));
  return {
    instances,
    workloads: workloads.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    events: Array.from({ length: 640 }, (_, index) => makeEvent(index, { instances, before, harm })),
    jobs: makeJobs(instances, before),
    session: {
      user: { id: "user-1", login: "robin", name: "Robin Example" },
      grants: [{ role: "administrator", instanceId: null, namespace: null }],
      csrfToken: "csrf-of-the-test",
      expiresAt: before(-8 * hour),
    },
  };
}

type Before = (ms: number) => string;

function makeInstance({
  name,
  description,
  index,
  before,
}: {
  readonly name: string;
  readonly description: string;
  readonly index: number;
  readonly before: Before;
}): Instance {
  const isGone = name === "edge-berlin";
  const isSuspended = name === "staging";
  return {
    id: `instance-${index + 1}`,
    name,
    description,
    createdAt: before((400 - index) * 24 * hour),
    connected: !isGone,
    connectedAt: isGone ? null : before((index + 1) * 7 * hour),
    lastSeenAt: before(isGone ? 3 * hour : 4_000),
    daemon: {
      kind: index % 2 === 0 ? "weir" : "flux",
      version: index % 2 === 0 ? "0.1.0" : "1.25.4",
      protocol: index % 2 === 0 ? "v12" : "v11",
    },
    git: {
      url: "ssh://git@git.example.com/acme/fleet.git",
      branch: "main",
      path: `clusters/${name}`,
      head: sha(index),
    },
    sync: {
      state: index === 2 ? "failed" : index === 4 ? "behind" : "synced",
      revision: sha(index === 4 ? 40 : index),
      at: before((index + 1) * 2 * minute),
    },
    suspended: isSuspended,
    syncSuspended: isSuspended,
    suspendedReason: isSuspended ? "Load test of the new checkout until Friday noon" : "",
    problem: index === 2 ? "3 manifests can't be applied: see what blocks the sync" : "",
    workloads: { total: 0, degraded: 0, progressing: 0, newImages: 0 },
  };
}

function countWorkloads(workloads: readonly Workload[]): Instance["workloads"] {
  const inState = (health: Health): number => workloads.filter((each) => each.health === health).length;
  return {
    total: workloads.length,
    degraded: inState("degraded"),
    progressing: inState("progressing"),
    newImages: workloads.filter(({ newImages }) => newImages > 0).length,
  };
}

interface Surroundings {
  readonly instances: readonly Instance[];
  readonly before: Before;
  /** Undefined: nothing does. */
  readonly harm: string | undefined;
}

function makeWorkload(index: number, { instances, before, harm }: Surroundings): Workload {
  const instance = at(instances, index);
  const round = Math.floor(index / instances.length);
  const team = at(teams, round);
  const service = at(services, Math.floor(round / teams.length));
  const serial = Math.floor(round / teams.length / services.length);
  const kind = at(kinds, round + serial);
  const own = index === 6 ? harm : undefined;
  const name = own ?? `${team}-${service}${serial === 0 ? "" : `-${serial + 1}`}`;
  const version = `1.${20 - (serial % 7)}.${round % 10}`;
  const newer = round % 5 === 0 ? 1 + (round % 3) : 0;
  const health = healthOf(round);
  const desired = 1 + (round % 6);
  const locked = round % 23 === 0;
  return {
    instance: { id: instance.id, name: instance.name, connected: instance.connected },
    id: `${team}:${kind}/${name}`,
    namespace: team,
    kind,
    name,
    status: health === "progressing" ? "updating" : health === "degraded" ? "error" : "ready",
    health,
    ready: health === "healthy" ? desired : Math.max(0, desired - 1),
    desired,
    automated: round % 4 !== 1,
    locked,
    ignored: round % 61 === 0,
    lockedReason: locked ? "Waits for the migration of the database" : "",
    readOnly: "",
    policies: { automated: "true", "tag.app": "semver:^1", ...(own === undefined ? {} : { note: own }) },
    syncError: round % 97 === 3 ? "spec.replicas: Invalid value: -1: must be greater than or equal to 0" : "",
    containers: [
      {
        name: "app",
        image: `registry.example.com/acme/${team}/${service}:${version}`,
        newest: `registry.example.com/acme/${team}/${service}:1.21.${newer}`,
        newer,
      },
      ...(round % 3 === 0
        ? [{ name: "proxy", image: "registry.example.com/mesh/proxy:2.14.1", newest: "", newer: 0 }]
        : []),
    ],
    newImages: newer,
    changedAt: before(((round * 37) % 20_000) * minute),
  };
}

function healthOf(round: number): Health {
  return round % 29 === 7
    ? "degraded"
    : round % 17 === 5
      ? "progressing"
      : round % 211 === 9
        ? "unknown"
        : "healthy";
}

const happenings = [
  ["sync", "info", "Sync: 4 workloads changed"],
  ["commit", "info", "Release registry.example.com/acme/checkout/api:1.21.2 to automated workloads"],
  ["autorelease", "info", "Automated release of registry.example.com/acme/catalog/web:1.21.1"],
  ["sync", "error", "Sync failed for payments:deployment/payments-worker: spec.replicas: Invalid value: -1"],
  ["release", "info", "Released search-indexer 1.20.3, requested by robin"],
  ["drift", "warning", "Put back as in git: identity:deployment/identity-gateway"],
  ["commit", "info", "Commit: 4f1c2aa, shipping:deployment/shipping-api: locked, by robin"],
] as const;

function makeEvent(index: number, { instances, before, harm }: Surroundings): ConsoleEvent {
  const { id, name } = at(instances, index * 3);
  const [type, severity, message] = at(happenings, index);
  const workload =
    /[\w-]+:deployment\/[\w-]+/.exec(message)?.[0] ??
    `${at(teams, index)}:deployment/${at(teams, index)}-api`;
  return {
    id: 100_000 - index,
    instance: { id, name },
    type,
    severity,
    at: before(index * 11 * minute),
    message: (index === 2 ? harm : undefined) ?? message,
    revision: type === "drift" ? "" : sha(index),
    workloads: [workload],
    namespaces: [workload.slice(0, workload.indexOf(":"))],
    metadata: {},
  };
}

function makeJobs(instances: readonly Instance[], before: Before): readonly Job[] {
  const states = [
    "waiting-for-approval",
    "running",
    "succeeded",
    "failed",
    "succeeded",
    "rejected",
    "lost",
  ] as const;
  return states.map((state, index) => {
    const { id, name } = at(instances, index);
    const workload = `${at(teams, index)}:deployment/${at(teams, index)}-api`;
    const image = `registry.example.com/acme/${at(teams, index)}/api`;
    return {
      id: `job-${index + 1}`,
      instance: { id, name },
      kind: "release",
      state,
      summary: `Release ${at(teams, index)}-api 1.21.${index}`,
      spec: {
        kind: "release",
        workloads: [workload],
        images: "latest",
        force: false,
        message: "Fixes the rounding of prices",
      },
      plan: {
        digest: `digest-${index + 1}`,
        changes: [
          {
            workload,
            status: "success",
            message: "",
            containers: [{ container: "app", from: `${image}:1.20.3`, to: `${image}:1.21.${index}` }],
          },
        ],
        isKnown: true,
        needsApproval: index === 0,
      },
      requestedBy: index === 0 ? "kim" : "robin",
      requestedAt: before((index * 90 + 4) * minute),
      decidedBy: state === "rejected" ? "kim" : "",
      decidedAt: state === "rejected" ? before(index * 80 * minute) : null,
      decisionComment: state === "rejected" ? "Not before the sale" : "",
      endedAt: index < 2 ? null : before(index * 85 * minute),
      revision: state === "succeeded" ? sha(index) : "",
      error: state === "failed" ? "The branch was pushed to meanwhile, three times in a row. Try again." : "",
    };
  });
}

/** What a workload owns. */
export function makeTree({ namespace, name, desired, ready }: Workload): readonly TreeNode[] {
  const leaf = { namespace, message: "", children: [] };
  const pods = Array.from({ length: desired }, (_, index) => ({
    ...leaf,
    kind: "Pod",
    name: `${name}-7c9d8b5f6-${(index * 7_919 + 46_656).toString(36)}`,
    health: index < ready ? "healthy" : "degraded",
    message: index < ready ? "" : "Back-off pulling image: not found",
  }));
  const replicas = {
    ...leaf,
    kind: "ReplicaSet",
    name: `${name}-7c9d8b5f6`,
    health: "healthy",
    children: pods,
  };
  const old = { ...leaf, kind: "ReplicaSet", name: `${name}-5d4f9c7b8`, health: "healthy" };
  return [{ ...leaf, kind: "Deployment", name, health: "healthy", children: [replicas, old] }];
}

/** A diff of a workload, as the console sends it. */
export function makeDiff({ name }: Workload): string {
  return [
    `--- live/${name}.yaml`,
    `+++ predicted/${name}.yaml`,
    "@@ -8,9 +8,9 @@ metadata:",
    " spec:",
    "-  replicas: 5",
    "+  replicas: 3",
    "   template:",
    "     spec:",
    "       containers:",
    "         - name: app",
    `-          image: registry.example.com/acme/${name}:1.20.3`,
    `+          image: registry.example.com/acme/${name}:1.21.2`,
    "           ports:",
    "             - containerPort: 8080",
    "",
  ].join("\n");
}

/** A manifest of a workload. */
export function makeManifest({ namespace, name }: Workload): string {
  return [
    "apiVersion: apps/v1",
    "kind: Deployment",
    "metadata:",
    `  name: ${JSON.stringify(name)}`,
    `  namespace: ${namespace}`,
    "spec:",
    "  replicas: 3",
    "",
  ].join("\n");
}

/** A hash that looks like a commit's. */
function sha(index: number): string {
  return createHash("sha1").update(String(index)).digest("hex");
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) {
    throw new Error("an empty list");
  }
  return item;
}
