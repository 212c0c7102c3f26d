import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import fc from "fast-check";
import { type ApplyResult, applyConfig } from "../../../src/managed-fields/apply-config.ts";
import { emptySet, pathsOf } from "../../../src/managed-fields/field-set.ts";
import { printManagers } from "../../../src/managed-fields/managers.ts";
import { MergeSchemas } from "../../../src/managed-fields/merge-schema.ts";
import { ownedFields } from "../../../src/managed-fields/owned-fields.ts";
import type { Tree } from "../../../src/tree.ts";

const text = { type: "string" };
const schema: JsonObject = {
  type: "object",
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: "object", additionalProperties: text },
    spec: {
      type: "object",
      properties: {
        size: { type: "integer" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port"],
          items: { type: "object", properties: { port: { type: "integer" }, name: text } },
        },
        tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
        args: { type: "array", items: text },
      },
    },
  },
};
const atom = new MergeSchemas(() => undefined).atom(schema);

const configs = fc
  .record(
    {
      size: fc.nat(2),
      ports: fc
        .uniqueArray(fc.record({ port: fc.constantFrom(80, 443), name: fc.constantFrom("a", "b") }), {
          selector: ({ port }) => port,
        })
        .filter((ports) => ports.length > 0),
      tags: fc.uniqueArray(fc.constantFrom("x", "y", "z"), { minLength: 1 }),
      args: fc.array(fc.constantFrom("-a", "-b"), { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ["size"], noNullPrototype: true },
  )
  .map((spec): Tree => object(structuredClone(spec) as Tree));

describe("applyConfig", () => {
  it("makes what is applied, and finds it unchanged", () => {
    fc.assert(
      fc.property(configs, (config) => {
        const first = applied(apply(empty, config, "one"));
        const again = apply(first, config, "one");

        assert.deepEqual(first["spec"], config["spec"]);
        assert.equal(again.kind === "applied" && again.object, undefined);
      }),
    );
  });

  it("owns what it applies", () => {
    fc.assert(
      fc.property(configs, (config) => {
        const result = apply(empty, config, "one");
        assert.equal(result.kind, "applied");

        const [entry] = [...result.managers.values()];
        const owned = [...pathsOf(entry?.fields ?? emptySet)]
          .map(String)
          .filter((path) => path.startsWith("f:spec"));
        const set = [...pathsOf(ownedFields(atom, config))]
          .map(String)
          .filter((path) => path.startsWith("f:spec"));
        assert.deepEqual(owned, set);
      }),
    );
  });

  it("takes away what a manager no longer applies", () => {
    fc.assert(
      fc.property(configs, configs, (before, after) => {
        const live = applied(apply(empty, before, "one"));

        const result = apply(live, after, "one");

        assert.deepEqual(applied(result, live)["spec"], after["spec"]);
      }),
    );
  });

  it("conflicts, or holds what both apply; by force it holds what is applied last", () => {
    fc.assert(
      fc.property(configs, configs, (one, other) => {
        const live = applied(apply(empty, one, "one"));

        const result = apply(live, other, "two");
        const forced = applied(apply(live, other, "two", true), live);

        const wanted = [...pathsOf(ownedFields(atom, other))].map(String);
        const held = new Set([...pathsOf(ownedFields(atom, forced))].map(String));
        assert.ok(wanted.every((path) => held.has(path)));
        if (result.kind === "applied") {
          assert.deepEqual(applied(result, live)["spec"], forced["spec"]);
        } else {
          assert.ok(result.conflicts.length > 0);
        }
      }),
    );
  });

  it("changes neither the live object nor the configuration", () => {
    fc.assert(
      fc.property(configs, configs, (one, other) => {
        const live = applied(apply(empty, one, "one"));
        const copies = structuredClone([live, other]);

        apply(live, other, "two", true);

        assert.deepEqual([live, other], copies);
      }),
    );
  });
});

const empty: Tree = { apiVersion: "v1", kind: "Thing", metadata: {} };

function object(spec: Tree): Tree {
  return { apiVersion: "v1", kind: "Thing", metadata: { name: "a" }, spec };
}

function apply(live: Tree, config: Tree, manager: string, force = false): ApplyResult {
  const versions = { atomOf: () => atom, convert: (one: Tree) => one, ignored: emptySet };
  const now = "2024-01-01T00:00:00Z";
  return applyConfig({
    versions,
    atom,
    apiVersion: "v1",
    subresource: "",
    live,
    empty,
    config,
    manager,
    force,
    now,
  });
}

/** The object after it was applied, with its managers, as it would be kept. */
function applied(result: ApplyResult, live: Tree = empty): Tree {
  assert.equal(result.kind, "applied");
  const next = result.object ?? live;
  const metadata = next["metadata"] as Tree;
  return structuredClone({
    ...next,
    metadata: { ...metadata, uid: "u", managedFields: printManagers(result.managers) },
  });
}
