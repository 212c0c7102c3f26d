import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isExpired } from "../../../src/client/id-token.ts";

function tokenWith(claims: string): string {
  return ["{}", claims, "signature"].map((part) => Buffer.from(part).toString("base64url")).join(".");
}

describe("an ID token", () => {
  const now = 1_000_000;
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["is good until its time", tokenWith('{"exp":1000}'), false],
    ["is over after its time", tokenWith('{"exp":999}'), true],
    ["is good for ever where it does not say when it ends", tokenWith('{"sub":"me"}'), false],
    ["is over where its end is no number", tokenWith('{"exp":"1001"}'), true],
    ["is over where its claims are no object", tokenWith("[]"), true],
    ["is over where its claims are not JSON", tokenWith("{"), true],
    ["is over where it has not three parts", "a-token", true],
  ];
  for (const [what, token, expired] of cases) {
    it(what, () => assert.equal(isExpired(token, now), expired));
  }
});
