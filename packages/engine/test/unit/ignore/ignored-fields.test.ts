import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isJsonObject, type JsonObject, systemClock } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { kubeObject, schemaOf } from "@weir/testing";
import { lastAppliedOf, withLastApplied } from "../../../src/diff/last-applied.ts";
import type { IgnoredDifferences } from "../../../src/ignore/ignored-differences.ts";
import { IgnoredFields } from "../../../src/ignore/ignored-fields.ts";
import { JqThread } from "../../../src/ignore/jq.ts";

const never = new AbortController().signal;

const target = kubeObject`
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: web, namespace: demo, labels: { a: b } }
  spec:
    replicas: 2
    template:
      spec:
        containers: [{ name: main, image: "app:2" }, { name: proxy, image: "proxy:1" }]
        tolerations: [{ key: a }]
`;

const live = kubeObject`
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: web, namespace: demo, labels: { a: c, x: y }, uid: "1" }
  spec:
    replicas: 7
    paused: true
    template:
      spec:
        containers: [{ name: proxy, image: "proxy:9" }, { name: main, image: "app:1" }]
        tolerations: [{ key: b }, { key: a, effect: NoExecute }]
`;

function ignored(rule: IgnoredDifferences): IgnoredFields {
  return new IgnoredFields({ "apps/Deployment": { ignoreDifferences: [rule] } }, new JqThread(systemClock));
}

async function kept(rule: IgnoredDifferences, replaces = false, there = live): Promise<KubeObject> {
  const fields = ignored(rule);
  const selection = fields.selectionFor(target);
  assert.ok(selection !== undefined);
  const schema = schemaOf("apps/v1", "Deployment");
  return fields.keepLive(selection, { target, live: there, schema, replaces, owner: undefined }, never);
}

function withoutReplicas({ spec }: KubeObject): JsonObject {
  assert.ok(isJsonObject(spec));
  return Object.fromEntries(Object.entries(spec).filter(([name]) => name !== "replicas"));
}

describe("IgnoredFields", () => {
  it("selects by name, namespace, and for all kinds", () => {
    assert.equal(ignored({ name: "other", jsonPointers: ["/a"] }).selectionFor(target), undefined);
    assert.equal(ignored({ namespace: "other", jsonPointers: ["/a"] }).selectionFor(target), undefined);
    assert.deepEqual(
      ignored({ name: "web", namespace: "demo", jsonPointers: ["/a"] }).selectionFor(target)?.pointers,
      ["/a"],
    );
    const forAll = new IgnoredFields(
      { "*/*": { ignoreDifferences: [{ managedFieldsManagers: ["x"] }] } },
      new JqThread(systemClock),
    );
    assert.deepEqual(forAll.selectionFor(target)?.managers, ["x"]);
  });

  it("cuts both objects and what was applied last, but not what identifies them", () => {
    const fields = ignored({
      jsonPointers: ["/spec/replicas", "/metadata/name", "/metadata", "/kind", "/spec/none/0"],
    });
    const selection = fields.selectionFor(target);
    assert.ok(selection !== undefined);
    const cut = fields.cutNow(selection, { target, live: withLastApplied(target) });

    const spec = withoutReplicas(target);
    assert.deepEqual(cut?.target, { ...target, spec });
    assert.deepEqual(cut.live.spec, spec);
    assert.deepEqual(lastAppliedOf(cut.live)?.["spec"], spec);
  });

  it("keeps live values, of the same items of lists", async () => {
    const result = await kept({
      jsonPointers: ["/spec/replicas", "/metadata/labels/a", "/metadata/labels/x", "/status"],
      jqPathExpressions: ['.spec.template.spec.containers[] | select(.name == "proxy") | .image'],
    });

    assert.deepEqual(result.metadata.labels, { a: "c" });
    assert.deepEqual(result.spec, {
      replicas: 7,
      template: {
        spec: {
          containers: [
            { name: "main", image: "app:2" },
            { name: "proxy", image: "proxy:9" },
          ],
          tolerations: [{ key: "a" }],
        },
      },
    });
  });

  it("adds what a write would remove: what was applied before, and parts of what is replaced as a whole", async () => {
    const applied = { ...target, spec: { paused: true } };
    const { annotations } = withLastApplied(applied).metadata;
    const there = { ...live, metadata: { ...live.metadata, annotations: annotations ?? {} } };

    assert.deepEqual((await kept({ jsonPointers: ["/spec/paused"] }, false, there)).spec, {
      ...Object(target.spec),
      paused: true,
    });
    assert.deepEqual((await kept({ jsonPointers: ["/spec/paused"] })).spec, target.spec);
    assert.deepEqual((await kept({ jsonPointers: ["/spec/paused"] }, true)).spec, {
      ...Object(target.spec),
      paused: true,
    });
    const { template } = (
      await kept({ jqPathExpressions: ['.spec.template.spec.tolerations[] | select(.key == "b")'] })
    ).spec as { template: { spec: { tolerations: unknown } } };
    assert.deepEqual(template.spec.tolerations, [{ key: "b" }, { key: "a" }]);
  });

  it("doesn't set what the live object doesn't have", async () => {
    const spec = withoutReplicas(live);
    const result = await kept({ jsonPointers: ["/spec/replicas"] }, false, { ...live, spec });

    assert.equal(Object.hasOwn(Object(result.spec) as object, "replicas"), false);
  });

  it("keeps what a field manager owns", async () => {
    const managedFields = [
      {
        manager: "somebody",
        operation: "Update",
        apiVersion: "apps/v1",
        fieldsV1: {
          "f:spec": {
            "f:replicas": {},
            "f:template": {
              "f:spec": {
                "f:containers": { 'k:{"name":"main"}': { "f:image": {} }, 'k:{"name":"gone"}': { ".": {} } },
              },
            },
          },
        },
      },
    ];
    const result = await kept({ managedFieldsManagers: ["somebody"] }, false, {
      ...live,
      metadata: { ...live.metadata, managedFields },
    });

    assert.deepEqual(result.spec, {
      replicas: 7,
      template: {
        spec: {
          containers: [
            { name: "main", image: "app:1" },
            { name: "proxy", image: "proxy:1" },
          ],
          tolerations: [{ key: "a" }],
        },
      },
    });
  });
});

describe("JqThread", () => {
  const jq = new JqThread(systemClock);
  const document = { a: [{ b: 1 }, { b: 2 }, { c: 3 }], d: { "e.f": null } };

  for (const [expression, paths] of [
    [".a[] | select(.b == 2)", [["a", 1]]],
    [".a[-1].c", [["a", 2, "c"]]],
    [
      ".a[1:] ",
      [
        ["a", 1],
        ["a", 2],
      ],
    ],
    ['.d["e.f"] # a comment', [["d", "e.f"]]],
    [".none[]", []],
    [".none.deeper", []],
    ["if .a then .d else .a end", [["d"]]],
    ["$ENV.PATH", []],
  ] as const) {
    it(`finds the paths of ${expression}`, async () => {
      assert.deepEqual(await jq.find(expression, [document, {}], never), [paths, []]);
    });
  }

  it("says what is wrong with an expression", async () => {
    await assert.rejects(
      jq.find(".a[", [document], never),
      /cannot use the jq path expression "\.a\[": jq: error/,
    );
  });

  it("ends an expression that takes too long, and goes on", async () => {
    const endless = "def f: f; f";
    const asked = jq.find(endless, [document], never);
    const other = jq.find(".d", [document], never);

    await assert.rejects(asked, /it took longer than 2 s/);
    assert.deepEqual(await other, [[["d"]]]);
    await assert.rejects(jq.find(endless, [document], never), /it took longer than 2 s/);
  });

  it("can be aborted", async () => {
    const abort = new AbortController();
    const asked = jq.find("[range(1e12)] | .[0]", [document], abort.signal);
    abort.abort(new Error("enough"));

    await assert.rejects(asked, /enough/);
  });
});
