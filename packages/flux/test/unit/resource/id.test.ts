import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  InvalidResourceIdError,
  makeResourceId,
  parseResourceId,
  parseResourceIdIn,
  partsOfResourceId,
} from "../../../src/resource/id.ts";

describe("resource ids", () => {
  it("have their kind in lower case", () => {
    assert.equal(parseResourceId("demo:Deployment/Hello"), "demo:deployment/Hello");
  });

  it("name what has no namespace by <cluster>", () => {
    assert.deepEqual(partsOfResourceId(parseResourceId("<cluster>:namespace/demo")), {
      namespace: "<cluster>",
      kind: "namespace",
      name: "demo",
    });
  });

  it("may have colons and dots in their name", () => {
    assert.deepEqual(
      partsOfResourceId(parseResourceId("<cluster>:clusterrole/system:a.b/c".replace("/c", "-c"))),
      {
        namespace: "<cluster>",
        kind: "clusterrole",
        name: "system:a.b-c",
      },
    );
  });

  it("are services in the legacy form", () => {
    assert.deepEqual(partsOfResourceId(parseResourceId("demo/hello")), {
      namespace: "demo",
      kind: "service",
      name: "hello",
    });
  });

  it("take a namespace from outside where they are told to, and then have no legacy form", () => {
    assert.deepEqual(
      [parseResourceIdIn("demo", "deployment/hello"), parseResourceIdIn("demo", "other:deployment/hello")],
      ["demo:deployment/hello", "other:deployment/hello"],
    );
  });

  it("are refused by naming the text", () => {
    for (const parse of [parseResourceId, (text: string) => parseResourceIdIn("demo", text)]) {
      assert.throws(
        () => parse("a:b/c/d"),
        (error) =>
          error instanceof InvalidResourceIdError && error.message === "parsing a:b/c/d: invalid service ID",
      );
    }
  });

  it("never read as if they were of a plain namespace that they were not made of", () => {
    const odd = fc.string({
      unit: fc.constantFrom("team", ":", "/", "..", "configmap", "%", "<cluster>", "a"),
    });
    const plain = /^[^:/]*$/;

    fc.assert(
      fc.property(odd, fc.stringMatching(/^[a-z]{1,9}$/), odd, (namespace, kind, name) => {
        const read = partsOfResourceId(makeResourceId(namespace, kind, name)).namespace;

        assert.ok(read === namespace || !plain.test(read), `${namespace} reads as ${read}`);
      }),
      { numRuns: 5_000 },
    );
    assert.equal(
      partsOfResourceId(makeResourceId("team/../default", "ConfigMap", "a")).namespace,
      "team/../default",
    );
  });

  it("read back what they were made of", () => {
    const word = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/);

    fc.assert(
      fc.property(fc.oneof(word, fc.constant("<cluster>")), word, word, (namespace, kind, name) => {
        const id = parseResourceId(makeResourceId(namespace, kind, name));

        assert.deepEqual(partsOfResourceId(id), { namespace, kind, name });
      }),
    );
  });
});
