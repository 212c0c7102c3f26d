import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ObjectReport, parseResourceId } from "@weir/flux";
import type { Suspension, WhySync } from "@weir/flux/api";
import fc from "fast-check";
import {
  gitCause,
  type ResourceFacts,
  resourceCauses,
} from "../../../../../src/daemon/queries/why/resource-causes.ts";

const id = parseResourceId("shop:deployment/web");
const other = parseResourceId("shop:pod/migrate");

const object: ObjectReport = {
  isServed: true,
  exists: true,
  apiVersion: "apps/v1",
  sync: "Synced",
  action: "none",
  phase: "Sync",
  wave: 0,
  refusal: "",
  syncError: "",
  health: "Healthy",
  healthMessage: "",
  owner: "",
  differences: [],
  writers: [],
  problem: "",
};

const suspension: Suspension = { what: "sync", user: "Ann", reason: "holidays", since: new Date(0) };

const sync: WhySync = {
  head: "a".repeat(40),
  synced: "a".repeat(40),
  state: "synced",
  at: "",
  waitingFor: [],
  failures: [],
};

/** A resource of which all is well, except for what a test says. */
function facts({
  object: seen = {},
  sync: synced = {},
  ...more
}: Partial<Omit<ResourceFacts, "object" | "sync">> & {
  readonly object?: Partial<ObjectReport>;
  readonly sync?: Partial<WhySync>;
} = {}): ResourceFacts {
  return {
    id,
    problems: [],
    isKnown: true,
    source: "web.yaml",
    isHeldBack: false,
    isComplete: true,
    suspensions: [],
    images: [],
    automation: { workload: id, isOn: true, isReadonly: false, suspended: "" },
    ...more,
    object: { ...object, ...seen },
    sync: { ...sync, ...synced },
  };
}

function kindsOf(given: Parameters<typeof facts>[0]): readonly string[] {
  return resourceCauses(facts(given)).map(({ kind }) => kind);
}

/** The only cause, as its kind, its message, and the commands to copy. */
function only(given: Parameters<typeof facts>[0]) {
  const causes = resourceCauses(facts(given));
  assert.equal(causes.length, 1, JSON.stringify(causes));
  const [{ kind, message, remedies } = { kind: "", message: "", remedies: [] }] = causes;
  return { kind, message, commands: remedies.flatMap(({ command }) => command || []) };
}

const changed = { action: "change", sync: "OutOfSync" } as const;
const pending = { state: "pending", synced: "b".repeat(40) } as const;

describe("what holds a resource up", () => {
  it("is nothing if it's as in git", () => {
    assert.deepEqual(resourceCauses(facts()), []);
    assert.deepEqual(kindsOf({ sync: pending }), []);
  });

  const left = (guard: string, reason = "some reason") =>
    ({ left: { guard, reason }, sync: "Ignored" }) as const;
  const cases: Readonly<
    Record<string, readonly [Parameters<typeof facts>[0], string, RegExp, readonly string[]]>
  > = {
    "a revision that isn't synced yet": [
      { object: changed, sync: pending },
      "sync-pending",
      /git is at a{12}, and only b{12} is synced yet/,
      ["fluxctl sync"],
    ],
    "a first sync": [
      { object: { ...changed, exists: false, action: "create" }, sync: { state: "never", synced: "" } },
      "sync-pending",
      /nothing is synced yet/,
      ["fluxctl sync"],
    ],
    "a sync that failed as a whole": [
      { object: changed, sync: { ...pending, state: "failing", failures: ["the cluster does not respond"] } },
      "sync-failed",
      /does not count as synced: the cluster does not respond/,
      ["fluxctl check"],
    ],
    "a wave that waits for it": [
      {
        object: { wave: 2, health: "Progressing", healthMessage: "1 of 3 updated" },
        sync: { state: "waiting", waitingFor: [id] },
      },
      "waited-for",
      /waits until this resource of wave 2 is ready \(Progressing: 1 of 3 updated\)/,
      ["kubectl describe -n shop deployment/web"],
    ],
    "a hook that runs before it": [
      { object: { ...changed, wave: 3 }, sync: { state: "waiting", waitingFor: [other] } },
      "waiting",
      /waits until shop:pod\/migrate, of an earlier wave or phase, is ready. This is in wave 3/,
      ["fluxctl why shop:pod/migrate"],
    ],
    "a kind that the API server doesn't have": [
      { object: { isServed: false, exists: false, apiVersion: "example.test/v1" } },
      "no-such-kind",
      /no kind deployment in example.test\/v1/,
      ["kubectl api-resources"],
    ],
    "a file that can't be loaded": [
      { isHeldBack: true, source: undefined },
      "held-back",
      /--sync-quarantine/,
      [],
    ],
    "a namespace that isn't allowed": [{ object: left("excluded") }, "excluded", /its namespace/, []],
    "an annotation in its file": [
      { object: left("ignored") },
      "ignored",
      /the annotation fluxcd.io\/ignore in web.yaml/,
      [],
    ],
    "an annotation in the cluster": [
      { object: left("ignored-live") },
      "ignored-live",
      /the live object has the annotation/,
      ["kubectl annotate -n shop deployment/web fluxcd.io/ignore-"],
    ],
    "another tool": [
      { object: left("foreign", "Helm (web) manages it, so it isn't applied; remove its manifest") },
      "foreign",
      /^Helm \(web\) manages it, so it isn't applied$/,
      [],
    ],
    "a deletion that waits for a person": [
      { object: left("unconfirmed"), source: undefined },
      "unconfirmed",
      /only after somebody confirms that/,
      ["fluxctl confirm shop:deployment/web"],
    ],
    "too many deletions": [
      { object: left("prune-limit", "2 of 4 would go; to delete them, run x"), source: undefined },
      "prune-limit",
      /not deleted: 2 of 4 would go$/,
      ["fluxctl confirm", "fluxctl confirm --prune aaaaaaaaaaaa"],
    ],
    "no garbage collection": [
      { object: left("prune-off"), source: undefined },
      "prune-off",
      /--sync-garbage-collection is off/,
      ["kubectl delete -n shop deployment/web"],
    ],
    "no garbage collection while a file can't be read": [
      { object: left("prune-off"), source: undefined, isComplete: false },
      "prune-off",
      /while a file in git cannot be read/,
      ["fluxctl check"],
    ],
    "a refusal": [
      { object: { ...changed, refusal: "spec.replicas:\n  must be  positive" } },
      "refused",
      /the API server refuses it: spec.replicas: must be positive$/,
      ["fluxctl sync"],
    ],
    "an error of the last sync": [
      { object: { ...changed, syncError: "a webhook did not respond" } },
      "apply-failed",
      /could not apply it: a webhook did not respond/,
      [],
    ],
    "a change in the cluster": [
      {
        object: {
          ...changed,
          differences: [
            {
              path: "spec.replicas",
              git: "1",
              live: "3",
              isHidden: false,
              writer: {
                manager: "kubectl-edit",
                operation: "Update",
                subresource: "",
                time: "2020-01-02T03:04:05Z",
              },
            },
          ],
        },
      },
      "drift",
      /changed in the cluster by kubectl-edit at 2020-01-02 03:04:05 UTC/,
      ["fluxctl diff"],
    ],
    "a deletion in the cluster": [
      { object: { exists: false, action: "create", sync: "OutOfSync", health: "" } },
      "missing",
      /it was deleted in the cluster/,
      [],
    ],
    "an object that another one made": [
      { source: undefined, object: { sync: "", phase: "", owner: "ReplicaSet web-1" } },
      "owned",
      /ReplicaSet web-1 made it/,
      ["fluxctl why shop:replicaset/web-1"],
    ],
    "an object that isn't in git": [
      { source: undefined, object: { sync: "", phase: "" } },
      "not-in-git",
      /not in git/,
      [],
    ],
    "an object that's about to go": [
      { source: undefined, object: { action: "delete", sync: "Obsolete" } },
      "no-longer-in-git",
      /the next sync deletes it/,
      ["fluxctl diff"],
    ],
    "a pod that doesn't start": [
      { object: { health: "Degraded", healthMessage: "no such image" } },
      "degraded",
      /it is Degraded: no such image/,
      ["kubectl describe -n shop deployment/web"],
    ],
    "a suspension": [
      {
        suspensions: [{ ...suspension, until: new Date(Date.UTC(2020, 0, 2)) }],
        object: changed,
        sync: pending,
      },
      "suspended",
      /^syncing is suspended by Ann until 2020-01-02 00:00:00 UTC because: holidays$/,
      ["fluxctl resume sync"],
    ],
    "manifests that can't be loaded": [
      { problems: [{ kind: "manifests", message: "a.yaml: line 3" }], object: changed, sync: pending },
      "manifests",
      /nothing newer than b{12} is synced: a.yaml: line 3/,
      ["fluxctl sync"],
    ],
    "a commit that nobody signed": [
      { problems: [{ kind: "unverified", message: "commit x has no signature" }] },
      "unverified",
      /no commit after the last verified one is synced/,
      ["fluxctl check"],
    ],
  };
  for (const [what, [given, kind, message, commands]] of Object.entries(cases)) {
    it(`is ${what}`, () => {
      const found = only(given);

      assert.deepEqual([found.kind, found.commands], [kind, commands]);
      assert.match(found.message, message);
    });
  }

  it("is told in the order in which it has to be solved", () => {
    const given = {
      problems: [{ kind: "fetch-failed", message: "no route" }],
      suspensions: [suspension],
      object: { ...changed, refusal: "no", health: "Degraded" },
      sync: pending,
    } as const;

    assert.deepEqual(kindsOf(given), ["fetch-failed", "suspended", "refused", "degraded"]);
  });

  it("isn't taken from a git that nobody could read", () => {
    const problem = { kind: "git-not-ready", message: "cloning" } as const;
    const given = { isKnown: false, source: undefined, problems: [problem], sync: { ...pending, head: "" } };

    assert.deepEqual(kindsOf({ ...given, object: left("prune-off") }), ["git-not-ready"]);
    assert.match(gitCause(problem, sync).message, /cannot read git: cloning/);
  });

  it("is never a command that does something else, whatever a name is", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        const hostile = parseResourceIdLike(name);
        const causes = resourceCauses(facts({ id: hostile, object: left("unconfirmed"), source: undefined }));
        const [{ command } = { command: "" }] = causes[0]?.remedies ?? [];

        const word = command.slice("fluxctl confirm ".length);
        const isPlain = /^[A-Za-z0-9_.,:/@%+=-]+$/.test(word);
        const isQuoted = /^'([^']|'\\'')*'$/.test(word);
        assert.ok(isPlain || isQuoted, command);
      }),
    );
  });
});

function parseResourceIdLike(name: string): typeof id {
  return `shop:deployment/${name}` as typeof id;
}
