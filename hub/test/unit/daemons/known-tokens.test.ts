import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { KnownTokens } from "../../../src/daemons/known-tokens.ts";

describe("known tokens", () => {
  it("are looked up once in a while, and again when they may not be valid any more", async () => {
    const { tokens, clock, asked } = scripted();

    assert.deepEqual(
      [await tokens.instanceOf("good"), await tokens.instanceOf("good")],
      ["of good", "of good"],
    );
    await clock.advance(20);
    assert.deepEqual(
      [await tokens.instanceOf("bad"), await tokens.instanceOf("bad")],
      [undefined, undefined],
    );
    assert.deepEqual(asked, [["good"], ["bad"]]);
    await clock.advance(5_000);
    await tokens.instanceOf("good");
    await clock.advance(20);
    tokens.clear();
    await tokens.instanceOf("good");
    assert.deepEqual(asked.slice(2), [["good"], ["good"]]);
  });

  it("are looked up together if they're asked for in the meantime", async () => {
    const { tokens, clock, asked } = scripted();

    const found = Promise.all(["a", "b", "bad", "b"].map((hash) => tokens.instanceOf(hash)));
    await clock.advance(20);

    assert.deepEqual(await found, ["of a", "of b", undefined, "of b"]);
    assert.deepEqual(asked, [["a"], ["b", "bad"]]);
  });

  it("are looked up with others before it's time, if they're used and belong to an instance", async () => {
    const { tokens, clock, asked } = scripted();
    for (const hash of ["used", "unused", "bad"]) {
      void tokens.instanceOf(hash);
      await clock.advance(20);
    }
    await Promise.all([tokens.instanceOf("used"), tokens.instanceOf("bad")]);

    await clock.advance(3_000);
    void tokens.instanceOf("new");
    await clock.advance(4_000);
    assert.equal(await tokens.instanceOf("used"), "of used");
    assert.deepEqual(asked.slice(3), [["new", "used"]]);
  });

  it("are looked up again if they were forgotten meanwhile", async () => {
    const clock = new FakeClock();
    const answers = [
      Promise.withResolvers<ReadonlyMap<string, string>>(),
      Promise.withResolvers<ReadonlyMap<string, string>>(),
    ];
    let asked = 0;
    const tokens = new KnownTokens(clock, () => {
      asked += 1;
      return answers[asked - 1]?.promise ?? Promise.resolve(new Map());
    });
    const found = tokens.instanceOf("old");

    tokens.clear();
    answers[0]?.resolve(new Map([["old", "i"]]));
    answers[1]?.resolve(new Map());
    await clock.advance(20);

    assert.equal(await found, undefined);
    assert.equal(asked, 2);
    assert.equal(await tokens.instanceOf("old"), undefined);
  });

  it("fail where the look-up does, and are looked up again when they're asked for again", async () => {
    const { tokens, clock, asked } = scripted([new Error("no database")]);

    await assert.rejects(tokens.instanceOf("a"), /^Error: no database$/);
    const again = tokens.instanceOf("a");
    await clock.advance(20);

    assert.equal(await again, "of a");
    assert.deepEqual(asked, [["a"], ["a"]]);
  });

  it("are refused while too many wait, and otherwise looked up in the end, 1,000 at a time", async () => {
    const { tokens, clock, asked } = scripted();

    const tried = Array.from({ length: 2_000 }, (_, index) => tokens.instanceOf(`token ${index}`));
    await assert.rejects(tokens.instanceOf("one more"), /too many tokens are tried/);
    await clock.advance(100);

    assert.equal((await Promise.all(tried)).at(-1), "of token 1999");
    assert.equal(await tokens.instanceOf("token 1"), "of token 1");
    assert.deepEqual(
      asked.map(({ length }) => length),
      [1, 1_000, 999],
    );
  });
});

/** Tokens on a clock of their own, each of an instance, except "bad". The first look-ups fail with these errors. */
function scripted(errors: readonly Error[] = []) {
  const clock = new FakeClock();
  const asked: (readonly string[])[] = [];
  const tokens = new KnownTokens(clock, (hashes) => {
    asked.push(hashes);
    const error = errors[asked.length - 1];
    const good = hashes.filter((hash) => hash !== "bad").map((hash) => [hash, `of ${hash}`] as const);
    return error === undefined ? Promise.resolve(new Map(good)) : Promise.reject(error);
  });
  return { tokens, clock, asked };
}
