import { createHash } from "node:crypto";
import type { Insertable } from "kysely";
import type { Health, StoredContainer, StoredRollout, Tables } from "./schema.ts";
import { wordsOf } from "./search-words.ts";
import { storable, storableJson, storableKey, textLimits } from "./storable.ts";

/** A workload as the daemon of an instance lists it. */
export interface NewWorkload {
  readonly id: string;
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
  readonly status: string;
  readonly health: Health;
  readonly rollout: StoredRollout;
  readonly readOnly: string;
  /** Flux's policies: `automated`, `locked`, `locked_msg`, `ignore`, `tag.container`, … */
  readonly policies: Readonly<Record<string, string>>;
  readonly syncError: string;
  readonly antecedent: string;
  readonly containers: readonly StoredContainer[];
}

type Row = Insertable<Tables["workloads"]>;

/** The most containers, policies, and messages that are kept of one workload; real ones have far fewer. */
const most = 200;

/** The row of a workload, with everything that lists filter by, and a hash of it all. */
export function workloadRow(instanceId: string, workload: NewWorkload, now: number): Row {
  const containers = workload.containers.slice(0, most).map(boundedContainer);
  const policies = boundedPolicies(workload.policies);
  const content = {
    id: storableKey(workload.id),
    namespace: storableKey(workload.namespace),
    kind: storableKey(workload.kind),
    name: storableKey(workload.name),
    status: storableKey(workload.status),
    health: workload.health,
    rollout: storableJson(boundedRollout(workload.rollout)) ?? "{}",
    ready: workload.rollout.ready,
    desired: workload.rollout.desired,
    automated: isSet(policies["automated"]),
    locked: isSet(policies["locked"]),
    ignored: isSet(policies["ignore"]),
    lockedReason: policies["locked_msg"] ?? "",
    readOnly: storableKey(workload.readOnly),
    policies: storableJson(policies) ?? "{}",
    policyNames: Object.keys(policies),
    syncError: storable(workload.syncError, textLimits.message),
    antecedent: storableKey(workload.antecedent),
    containers: storableJson(containers.map((container) => ({ ...container }))) ?? "[]",
    images: containers.map(({ image }) => image),
    newImages: containers.filter(({ newer }) => newer > 0).length,
    words: wordsOf(
      workload.id,
      workload.status,
      ...containers.flatMap(({ name, image }) => [name, image]),
      ...Object.keys(policies),
    ),
  };
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("base64url");
  return { ...content, instanceId, digest, changedAt: new Date(now) };
}

function isSet(policy: string | undefined): boolean {
  return policy !== undefined && policy !== "" && policy !== "false";
}

function boundedContainer({ name, image, newest, newer }: StoredContainer): StoredContainer {
  return { name: storableKey(name), image: storableKey(image), newest: storableKey(newest), newer };
}

function boundedPolicies(policies: NewWorkload["policies"]): Readonly<Record<string, string>> {
  const entries = Object.entries(policies).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.slice(0, most).map(([name, value]) => [storableKey(name), storable(value, textLimits.line)]),
  );
}

function boundedRollout({ messages, ...numbers }: StoredRollout) {
  return { ...numbers, messages: messages.slice(0, most).map((each) => storable(each, textLimits.line)) };
}
