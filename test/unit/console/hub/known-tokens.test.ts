import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, until } from "@weir/testing";
import { KnownTokens } from "../../../../src/console/hub/known-tokens.ts";

describe("known tokens", () => {
  it("are looked up once in a while, and again when they may not be valid any more", async () => {
    const clock = new FakeClock();
    const asked: string[] = [];
    const tokens = new KnownTokens(clock, (hash) => {
      asked.push(hash);
      return Promise.resolve(hash === "good" ? "i" : undefined);
    });

    assert.deepEqual([await tokens.instanceOf("good"), await tokens.instanceOf("good")], ["i", "i"]);
    assert.deepEqual(
      [await tokens.instanceOf("bad"), await tokens.instanceOf("bad")],
      [undefined, undefined],
    );
    assert.deepEqual(asked, ["good", "bad"]);
    await clock.advance(5_000);
    await tokens.instanceOf("good");
    tokens.clear();
    await tokens.instanceOf("good");
    assert.deepEqual(asked, ["good", "bad", "good", "good"]);
  });

  it("are looked up again if they were forgotten meanwhile", async () => {
    const answers = [
      Promise.withResolvers<string | undefined>(),
      Promise.withResolvers<string | undefined>(),
    ];
    let asked = 0;
    const tokens = new KnownTokens(new FakeClock(), () => {
      asked += 1;
      return answers[asked - 1]?.promise ?? Promise.resolve(undefined);
    });
    const found = tokens.instanceOf("old");

    tokens.clear();
    answers[0]?.resolve("i");
    answers[1]?.resolve(undefined);

    assert.equal(await found, undefined);
    assert.equal(asked, 2);
    assert.equal(await tokens.instanceOf("old"), undefined);
  });

  it("are looked up a few at a time, however many are tried, and each in the end", async () => {
    const open: (() => void)[] = [];
    const tokens = new KnownTokens(
      new FakeClock(),
      (hash) => new Promise((resolve) => open.push(() => resolve(hash))),
    );

    const tried = Array.from({ length: 100 }, (_, index) => tokens.instanceOf(`token ${index}`));
    let most = 0;
    for (let answered = 0; answered < 100; answered += 1) {
      await until("a look-up", () => open.length > 0);
      most = Math.max(most, open.length);
      open.shift()?.();
    }

    assert.equal((await Promise.all(tried)).at(-1), "token 99");
    assert.equal(most, 4);
  });
});
