import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { equalJson, type JsonObject, type JsonValue } from "@weir/base";
import {
  clusterScope,
  decodeUpdateSpec,
  makeResourceId,
  parseImageRef,
  partsOfResourceId,
  type WorkloadResult,
} from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import { fc } from "@weir/testing/property";
import { mayAct } from "../../../src/access/actor.ts";
import type { JobSpec } from "../../../src/contract/jobs.ts";
import { namedNamespaces } from "../../../src/operations/plan.ts";
import { plannedPolicies } from "../../../src/operations/plan-policies.ts";
import { plannedRelease } from "../../../src/operations/plan-release.ts";
import { digestOf } from "../../../src/operations/planned.ts";
import { mayReach } from "../../../src/operations/rights.ts";
import { namespacesOf } from "../../../src/operations/touched.ts";

const cause = fc.record({ user: fc.string(), message: fc.string() });
const namespace = fc.constantFrom("shop", "ops", "dev", clusterScope);
const resource = fc
  .tuple(namespace, fc.constantFrom("deployment", "namespace"), fc.constantFrom("a", "b", "c"))
  .map(([where, kind, name]) => makeResourceId(where, kind, name));
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

describe("the digest of a plan", () => {
  it("doesn't depend on the order of keys, and on nothing but the instance and the substance", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), fc.string(), (members, instance) => {
        const reversed: JsonObject = Object.fromEntries(Object.entries(members).toReversed());
        assert.equal(digestOf(instance, reversed), digestOf(instance, members));
        assert.notEqual(digestOf(`${instance}x`, members), digestOf(instance, members));
      }),
    );
  });

  it("differs for what differs", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        assert.equal(digestOf("i", a) === digestOf("i", b), equalJson(a, b));
      }),
    );
  });

  it("depends on each image of a release, and neither on who wants it nor why", () => {
    const image = fc.constantFrom("a:1", "a:2", "b:1");
    const release = fc.record({ id: resource, from: image, to: image, force: fc.boolean() });
    fc.assert(
      fc.property(release, release, cause, (one, other, who) => {
        const [first, second] = [releaseOf(one), releaseOf(other)];
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        assert.equal(digestOf("i", first.substance) === digestOf("i", second.substance), isSame);
        const sent = decodeUpdateSpec(first.toSpec(who));
        assert.deepEqual(sent.cause, { ...who });
        assert.equal(sent.type === "containers" && sent.spec.skipMismatches, false);
      }),
    );
  });

  it("depends neither on the reason of a lock nor on its user, but on what is there before", () => {
    const request = (reason: string): JobSpec & { kind: "policy" } => ({
      ...{ kind: "policy", workloads: ["shop:deployment/a"], locked: true, reason },
    });
    fc.assert(
      fc.property(fc.string(), cause, (reason, who) => {
        const [plain, reasoned] = [policiesOf(request(""), {}), policiesOf(request(reason), {})];
        reasoned.toSpec(who);
        assert.equal(digestOf("i", plain.substance), digestOf("i", reasoned.substance));
      }),
    );
    const locked = policiesOf(request(""), { locked: "true" });
    assert.notEqual(digestOf("i", locked.substance), digestOf("i", policiesOf(request(""), {}).substance));
    assert.equal(locked.changes[0]?.status, "skipped");
  });
});

describe("the namespaces of a request", () => {
  it("are such that whoever may change them may change each resource", () => {
    const grant = fc.record({
      role: fc.constantFrom("viewer", "operator", "administrator"),
      instanceId: fc.constantFrom(null, "i", "j"),
      namespace: fc.constantFrom(null, "shop", "ops"),
    });
    fc.assert(
      fc.property(fc.array(resource), fc.array(grant), (ids, grants) => {
        const reach = { instanceId: "i", namespaces: namespacesOf(ids) };
        const actor = { kind: "user", userId: "u", credentialId: "s", name: "ann", grants } as const;
        const mayAll = mayAct(actor, "operator", { instanceId: "i" });
        const mayEach = ids.every((id) => {
          const { namespace: name } = partsOfResourceId(id);
          return name === clusterScope
            ? mayAll
            : mayAct(actor, "operator", { instanceId: "i", namespace: name });
        });
        assert.equal(mayReach(actor, "operator", reach), ids.length === 0 ? mayAll : mayEach);
      }),
    );
  });

  const specs: readonly (readonly [JobSpec, readonly string[] | undefined])[] = [
    [{ kind: "sync" }, []],
    [{ kind: "undo", revision: "c0ffee1" }, undefined],
    [{ kind: "take-over", ids: ["b:deployment/x", "a:deployment/y", "a:deployment/z"] }, ["a", "b"]],
    [{ kind: "take-over", ids: ["a:deployment/y", "<cluster>:namespace/a"] }, []],
    [{ kind: "policy", workloads: ["a:deployment/y"], locked: true, reason: "" }, ["a"]],
    [{ kind: "policy", workloads: ["old/service"], locked: true, reason: "" }, ["old"]],
    [{ kind: "release", workloads: ["a:helmrelease/y"], images: "latest", force: false, message: "" }, ["a"]],
  ];
  for (const [spec, namespaces] of specs) {
    it(`of ${JSON.stringify(spec)} are ${JSON.stringify(namespaces)}`, () => {
      assert.deepEqual(namedNamespaces(spec), namespaces);
    });
  }
});

describe("the plan of a release", () => {
  it("shows only what was asked for, and sends only what can be done", () => {
    const [a, b, other] = ["a", "b", "other"].map((name) => makeResourceId("shop", "deployment", name));
    assert.ok(a !== undefined && b !== undefined && other !== undefined);
    const success: WorkloadResult = {
      status: "success",
      containers: [{ container: "app", current: parseImageRef("x:1"), target: parseImageRef("x:2") }],
    };
    const skipped: WorkloadResult = { status: "skipped", error: "locked", containers: null };
    const planned = plannedRelease({
      workloads: [a, b],
      status: {
        ...{ state: "succeeded", error: "" },
        result: {
          result: new Map([
            [a, success],
            [b, skipped],
            [other, success],
          ]),
        },
      },
      force: false,
    });

    assert.deepEqual(
      planned.changes.map(({ workload, status, message }) => [workload, status, message]),
      [
        [a, "success", ""],
        [b, "skipped", "locked"],
      ],
    );
    const sent = decodeUpdateSpec(planned.toSpec({ user: "ann", message: "" }));
    assert.deepEqual(sent.type === "containers" && [...(sent.spec.containers?.keys() ?? [])], [a]);
    assert.equal(planned.obstacle, "");
  });

  it("says why nothing can be done", () => {
    const id = makeResourceId("shop", "deployment", "a");
    const status = { state: "failed", error: "no changes found", result: {} } as const;
    const { obstacle, changes } = plannedRelease({ workloads: [id], status, force: false });

    assert.equal(obstacle, "nothing would be released: no changes found");
    assert.deepEqual(
      changes.map(({ status: each, message }) => [each, message]),
      [["skipped", "no changes found"]],
    );
  });
});

interface Release {
  readonly id: ReturnType<typeof makeResourceId>;
  readonly from: string;
  readonly to: string;
  readonly force: boolean;
}

function releaseOf({ id, from, to, force }: Release) {
  const update = { container: "app", current: parseImageRef(from), target: parseImageRef(to) };
  const result = new Map([[id, { status: "success", containers: [update] } as const]]);
  return plannedRelease({
    workloads: [id],
    status: { state: "succeeded", error: "", result: { result } },
    force,
  });
}

function policiesOf(request: JobSpec & { kind: "policy" }, policies: Readonly<Record<string, string>>) {
  const id = makeResourceId("shop", "deployment", "a");
  const workload: WorkloadStatusReport = {
    ...{ id, containers: [], readOnly: "", status: "ready", syncError: "", antecedent: "", labels: null },
    rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: null },
    policies,
  };
  return plannedPolicies(request, [id], [workload]);
}
