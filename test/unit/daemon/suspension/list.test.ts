import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FluxError } from "@weir/flux";
import { type Suspension, suspendable } from "@weir/flux/api";
import fc from "fast-check";
import {
  activeAt,
  parseSuspensions,
  printSuspensions,
  withResumed,
  withSuspended,
} from "../../../../src/daemon/suspension/list.ts";

const base = { reason: "", user: "" };
const whats = fc.uniqueArray(fc.constantFrom(...suspendable), { minLength: 1 });

const suspensionOf = (what: Suspension["what"]) =>
  fc.record(
    {
      what: fc.constant(what),
      reason: fc.string(),
      user: fc.string(),
      since: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }),
      until: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }),
    },
    { requiredKeys: ["what", "reason", "user", "since"], noNullPrototype: true },
  );

const lists = fc
  .tuple(fc.option(suspensionOf("sync")), fc.option(suspensionOf("automation")))
  .map((both): readonly Suspension[] => both.flatMap((each) => each ?? []));

describe("what is suspended", () => {
  it("is stored so that the next fluxd reads the same", () => {
    fc.assert(
      fc.property(lists, (list) => {
        assert.deepEqual(parseSuspensions(printSuspensions(list), 0), list);
      }),
    );
  });

  it("is suspended after a request, and not after the request to resume it; the rest stays", () => {
    fc.assert(
      fc.property(lists, whats, (list, what) => {
        const others = list.filter((each) => !what.includes(each.what));
        const suspended = withSuspended(list, { ...base, what }, 5);
        assert.deepEqual(
          suspendable.filter((each) => suspended.some((one) => one.what === each)),
          suspendable.filter((each) => what.includes(each) || list.some((one) => one.what === each)),
        );
        assert.deepEqual(withResumed(suspended, { what }), others);
      }),
    );
  });

  it("keeps its beginning when it's suspended again, and gets the new reason and end", () => {
    const first = withSuspended([], { what: ["sync"], reason: "one", user: "Ann", seconds: 60 }, 1_000);

    const second = withSuspended(first, { what: ["sync"], reason: "two", user: "Bob" }, 2_000);

    assert.deepEqual(first[0]?.until, new Date(61_000));
    assert.deepEqual(second, [{ what: "sync", reason: "two", user: "Bob", since: new Date(1_000) }]);
  });

  it("ends at its end, to the millisecond", () => {
    const list = withSuspended([], { ...base, what: ["sync"], until: new Date(5_000) }, 0);

    assert.deepEqual(activeAt(4_999, list), list);
    assert.deepEqual(activeAt(5_000, list), []);
  });

  for (const [what, request] of [
    ["an end in the past", { until: new Date(1_000) }],
    ["no duration", { seconds: 0 }],
    ["an end and a duration", { until: new Date(9_000), seconds: 1 }],
    ["a duration beyond the calendar", { seconds: Number.MAX_SAFE_INTEGER }],
    ["a reason that doesn't fit", { reason: "x".repeat(1_001) }],
  ] as const) {
    it(`isn't suspended with ${what}`, () => {
      assert.throws(() => withSuspended([], { ...base, what: ["sync"], ...request }, 1_000), FluxError);
    });
  }

  it("is everything if what is stored can't be read", () => {
    for (const text of ["", "yes", "{}", '[{"what":"sync","until":"tomorrow"}]']) {
      const list = parseSuspensions(text, 7);
      assert.deepEqual(
        list.map(({ what, until }) => ({ what, until })),
        suspendable.map((what) => ({ what, until: undefined })),
        text,
      );
      assert.match(list[0]?.reason ?? "", /can't be read/);
    }
  });

  it("leaves out what only a later version knows", () => {
    assert.deepEqual(parseSuspensions('[{"what":"webhooks"}]', 0), []);
  });
});
