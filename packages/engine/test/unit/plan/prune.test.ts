import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, keyOf, printKey } from "@weir/kube";
import fc from "fast-check";
import { contentsOf } from "../../../src/plan/contents.ts";
import { tasksOf } from "../../../src/plan/plan.ts";
import { mostPruned, type PruneLimit } from "../../../src/plan/prune-limit.ts";
import { planOf, type Scene, said, thing } from "../../support/engine-objects.ts";

const target = thing("v1 ConfigMap", "demo/a");

function named(names: string): readonly KubeObject[] {
  return names.split(" ").map((name) => thing("v1 ConfigMap", `demo/${name}`, { uid: name }));
}

/** What a plan prunes, and what it keeps and why. */
function pruned(scene: Scene): readonly (string | readonly string[])[] {
  const { kept, ...plan } = planOf(scene);
  const tasks = tasksOf({ ...plan, kept }).filter(({ action }) => action === "prune");
  return [
    ...tasks.map(({ key }) => key.name).sort(),
    ...kept.map(({ key, guard, reason }) => [key.name, guard, reason]),
  ];
}

describe("the limit of a prune", () => {
  it("is inclusive", () => {
    const managed = [target, ...named("x y z")];

    assert.deepEqual(pruned({ targets: [target], managed, options: { pruneLimit: 3 } }), ["x", "y", "z"]);
    assert.deepEqual(pruned({ targets: [target], managed, options: { pruneLimit: "75%" } }), ["x", "y", "z"]);
  });

  it("keeps everything if there is more to prune", () => {
    const reason = "2 of 3 objects would be pruned, and the limit is 25%, which is 1";

    assert.deepEqual(
      pruned({ targets: [target], managed: [target, ...named("x y")], options: { pruneLimit: "25%" } }),
      [
        ["x", "prune-limit", reason],
        ["y", "prune-limit", reason],
      ],
    );
  });

  it("allows one of three by default", () => {
    assert.deepEqual(
      pruned({ targets: named("a b"), managed: named("a b x"), options: { pruneLimit: "25%" } }),
      ["x"],
    );
  });

  it("doesn't count what is kept anyway, nor what has an owner", () => {
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "1" };
    const owned = thing("v1 ConfigMap", "demo/owned", { ownerReferences: [owner] });
    const dear = thing("v1 ConfigMap", "demo/dear", said({ "sync-options": "Prune=false" }));
    const managed = [target, owned, dear, ...named("x")];

    assert.deepEqual(pruned({ targets: [target], managed, options: { pruneLimit: "25%" } })[0], "x");
    assert.deepEqual(pruned({ targets: [target], managed, options: { pruneLimit: 0 } })[2], [
      "x",
      "prune-limit",
      "1 of 3 objects would be pruned, and the limit is 0",
    ]);
  });

  it("doesn't hold back what somebody has approved, as long as no more is pruned", () => {
    const managed = [target, ...named("x y z")];
    const approvedPrunes = ["x", "y"];

    assert.deepEqual(
      pruned({ targets: [target], managed: managed.slice(0, 3), options: { pruneLimit: 0, approvedPrunes } }),
      ["x", "y"],
    );
    assert.equal(
      pruned({ targets: [target], managed, options: { pruneLimit: 0, approvedPrunes } })[0]?.[1],
      "prune-limit",
    );
  });

  it("doesn't matter for a dry run of pruning", () => {
    const options = { pruneLimit: 0, prune: "dry-run" } as const;

    assert.deepEqual(pruned({ targets: [target], managed: named("x"), options }), [
      ["x", "prune-dry-run", "it would be pruned (dry run)"],
    ]);
  });
});

describe("a namespace without a manifest", () => {
  const namespace = thing("v1 Namespace", "demo");
  const kept = (key: string) => ["demo", "contains", `it contains ${key}, which must stay`];

  it("is pruned with its contents", () => {
    const scene = { targets: [thing("v1 ConfigMap", "other/a")], managed: [namespace, target] };

    assert.deepEqual(pruned(scene), ["a", "demo"]);
  });

  it("stays if there is a manifest in it", () => {
    assert.deepEqual(pruned({ targets: [target], managed: [namespace] }), [kept("/ConfigMap/demo/a")]);
  });

  it("stays if an object in it does", () => {
    const dear = thing("v1 ConfigMap", "demo/dear", said({ "sync-options": "Prune=confirm" }));

    assert.deepEqual(
      pruned({ targets: [thing("v1 ConfigMap", "b")], managed: [namespace, dear] })[1],
      kept("/ConfigMap/demo/dear"),
    );
  });

  it("stays if an object in it isn't selected", () => {
    const selection = [{ kind: "Namespace", name: "demo" }];
    const options = { selection } as const;

    assert.deepEqual(
      pruned({ targets: [thing("v1 ConfigMap", "b")], managed: [namespace, target], options }),
      [kept("/ConfigMap/demo/a")],
    );
  });

  it("stays if another unit has an object in it", () => {
    const others = [thing("v1 Secret", "demo/theirs"), thing("v1 Secret", "elsewhere/theirs")];

    assert.deepEqual(pruned({ targets: [thing("v1 ConfigMap", "b")], managed: [namespace], others }), [
      kept("/Secret/demo/theirs"),
    ]);
  });
});

describe("a definition without a manifest", () => {
  const definition = thing("apiextensions.k8s.io/v1 CustomResourceDefinition", "policies.example.test");

  it("stays if there is a manifest of its kind", () => {
    const policy = thing("example.test/v1 Policy", "demo/p");

    assert.deepEqual(pruned({ targets: [policy], managed: [definition, policy] }), [
      ["policies.example.test", "contains", "it contains example.test/Policy/demo/p, which must stay"],
    ]);
  });
});

const sayings = ["", "Prune=false", "Prune=confirm", "TakeOver=true"];

/** Live objects of one unit: each has a place, and may be a target, belong to another tool, or say something. */
const lives = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom(
      "v1 ConfigMap",
      "v1 Namespace",
      "example.test/v1 Policy",
      "apiextensions.k8s.io/v1 CustomResourceDefinition",
    ),
    namespace: fc.constantFrom("n1", "n2", "n3"),
    name: fc.constantFrom("a", "b", "c", "d", "e"),
    isTarget: fc.boolean(),
    isForeign: fc.boolean(),
    saying: fc.constantFrom(...sayings),
  }),
  { maxLength: 30, selector: ({ type, namespace, name }) => idOf(type, namespace, name) },
);

function idOf(type: string, namespace: string, name: string): string {
  return type === "v1 Namespace"
    ? namespace
    : type.endsWith("Definition")
      ? type
      : `${type}${namespace}${name}`;
}

const limits = fc.oneof(
  fc.nat({ max: 12 }),
  fc.nat({ max: 100 }).map((percent): PruneLimit => `${percent}%`),
);

describe("the law of the limit", () => {
  it("a sync never deletes more of the unit's objects than it may, unless somebody approved them", () => {
    fc.assert(
      fc.property(lives, limits, fc.array(fc.nat({ max: 29 })), (records, pruneLimit, approved) => {
        const objects = records.map(({ type, namespace, name, isForeign, saying }, index) => {
          const place =
            type === "v1 Namespace"
              ? namespace
              : type.endsWith("Definition")
                ? "policies.example.test"
                : `${namespace}/${name}`;
          const labels = isForeign ? { "olm.owner": "them" } : {};
          return thing(type, place, { uid: `u${index}`, labels, ...said({ "sync-options": saying }) });
        });
        const targets = objects.filter((_, index) => records[index]?.isTarget === true);
        const approvedPrunes = approved.map((index) => `u${index}`);
        const options = { pruneLimit, approvedPrunes, pruneLast: false };

        const plan = planOf({ targets, live: targets, managed: objects, options });

        const deleted = new Set(
          tasksOf(plan).flatMap((task) => (task.action === "prune" ? [task.live] : [])),
        );
        for (const each of [...deleted].flatMap((live) => contentsOf(live) ?? [])) {
          for (const inside of objects.filter((object) => each(keyOf(object)))) {
            deleted.add(inside);
          }
        }
        const asking = [...deleted].filter(({ metadata: { uid = "" } }) => !approvedPrunes.includes(uid));
        assert.ok(asking.length <= mostPruned(pruneLimit, objects.length));
        const protectedOnes = objects.filter(
          (object, index) =>
            targets.includes(object) ||
            (records[index]?.isForeign === true && records[index].saying !== "TakeOver=true") ||
            ["Prune=false", "Prune=confirm"].includes(records[index]?.saying ?? ""),
        );
        assert.deepEqual(
          protectedOnes.filter((object) => deleted.has(object)).map((object) => printKey(keyOf(object))),
          [],
        );
      }),
    );
  });
});
