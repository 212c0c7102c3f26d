import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseContinue, printContinue } from "../../../src/verbs/continue-token.ts";

describe("parseContinue", () => {
  it("reads back what was printed", () => {
    const tokens = fc.record(
      {
        revision: fc.oneof(fc.constant(-1), fc.integer({ min: 1 })),
        start: fc.string({ minLength: 1 }),
      },
      { noNullPrototype: true },
    );

    fc.assert(
      fc.property(tokens, (token) => {
        assert.deepEqual(parseContinue(printContinue(token)), token);
      }),
    );
  });

  const faults: readonly (readonly [object, string])[] = [
    [{}, 'server does not recognize this encoded version ""'],
    [{ v: "meta.k8s.io/v2" }, 'server does not recognize this encoded version "meta.k8s.io/v2"'],
    [{ v: "meta.k8s.io/v1", start: "a" }, "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"],
    [{ v: "meta.k8s.io/v1", rv: 3 }, "encoded start key empty (version meta.k8s.io/v1)"],
  ];
  for (const [fields, fault] of faults) {
    it(`refuses ${JSON.stringify(fields)}`, () => {
      const token = Buffer.from(JSON.stringify(fields)).toString("base64url");

      assert.deepEqual(parseContinue(token), { fault });
    });
  }

  it("reads any text, or says what is wrong with it", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.ok("fault" in parseContinue(text));
      }),
    );
  });
});
