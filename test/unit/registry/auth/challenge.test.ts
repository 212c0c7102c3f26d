import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseChallenges } from "../../../../src/registry/auth/challenge.ts";

describe("parseChallenges", () => {
  const headers: Readonly<Record<string, readonly [string, Record<string, string>][]>> = {
    "": [],
    Basic: [["basic", {}]],
    'Basic realm="a realm"': [["basic", { realm: "a realm" }]],
    'Bearer realm="https://auth.example.com/token",service="registry.example.com"': [
      ["bearer", { realm: "https://auth.example.com/token", service: "registry.example.com" }],
    ],
    'Bearer realm="https://a.example.com/t", scope="repository:a/b:pull,push" , error=insufficient_scope': [
      [
        "bearer",
        { realm: "https://a.example.com/t", scope: "repository:a/b:pull,push", error: "insufficient_scope" },
      ],
    ],
    'Basic realm="one", Bearer realm="https://two.example.com"': [
      ["basic", { realm: "one" }],
      ["bearer", { realm: "https://two.example.com" }],
    ],
    'Bearer realm="say \\"friend\\""': [["bearer", { realm: 'say "friend"' }]],
    "=": [],
  };
  for (const [header, expected] of Object.entries(headers)) {
    it(`reads ${JSON.stringify(header)}`, () => {
      const found = parseChallenges(header).map(({ scheme, parameters }) => [
        scheme,
        Object.fromEntries(parameters),
      ]);

      assert.deepEqual(found, expected);
    });
  }

  it("comes to an end whatever stands there", () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom("a", " ", ",", "=", '"', "\\") }), parses));
  });

  function parses(header: string): boolean {
    return parseChallenges(header).length <= header.length;
  }
});
