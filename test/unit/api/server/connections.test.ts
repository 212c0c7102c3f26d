import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { toGiveUp } from "../../../../src/api/server/connections.ts";

interface Named {
  readonly name: string;
  readonly address: string;
  readonly isWaiting: boolean;
}

/** "a1?" is the connection a1 of address a, which keeps us waiting; without the mark it is worked on. */
function parse(text: string): readonly Named[] {
  return text
    .split(" ")
    .filter((each) => each !== "")
    .map((name) => ({ name, address: name.charAt(0), isWaiting: name.endsWith("?") }));
}

describe("the connection that is given up for another", () => {
  for (const [connections, given] of [
    ["a1? a2? a3?", "a1?"],
    ["a1 a2? a3?", "a2?"],
    ["b1? a1? a2?", "a1?"],
    ["b1? a1 a2 a3", "b1?"],
    ["b1? a1?", "b1?"],
    ["a1 b1", undefined],
    ["", undefined],
  ] as const) {
    it(`is of "${connections}" ${given ?? "none"}`, () => {
      assert.equal(toGiveUp(parse(connections))?.name, given);
    });
  }

  it("is never one that is worked on, nor of an address with fewer to wait for than another", () => {
    const connection = fc.record({
      name: fc.constant(""),
      address: fc.constantFrom("a", "b", "c"),
      isWaiting: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(connection, { maxLength: 20 }), (connections) => {
        const given = toGiveUp(connections);
        const waiting = connections.filter(({ isWaiting }) => isWaiting);
        const count = (address: string): number => waiting.filter((each) => each.address === address).length;

        assert.equal(given === undefined, waiting.length === 0);
        assert.ok(given?.isWaiting !== false);
        assert.ok(
          given === undefined || ["a", "b", "c"].every((each) => count(each) <= count(given.address)),
        );
      }),
    );
  });
});
