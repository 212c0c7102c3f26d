import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { Progress } from "../../../../../cmd/fluxctl/output/progress.ts";

const screen = { columns: () => 40, rows: () => 24 };
const erase = "\r\x1b[K";

/** Something that shows its progress, on a clock that is moved by hand. */
function rig(env: Readonly<Record<string, string>> = {}, isScreen = true) {
  const clock = new FakeClock();
  let written = "";
  const terminal = {
    env,
    out: () => undefined,
    err: (text: string) => (written += text),
    ...(isScreen ? { errScreen: screen } : {}),
  };
  return {
    clock,
    progress: new Progress(terminal, clock),
    /** What was written since it was asked last. */
    taken: (): string => {
      const text = written;
      written = "";
      return text;
    },
  };
}

describe("Progress", () => {
  it("shows what is waited for and how long already, and takes it away at the end", async () => {
    const { clock, progress, taken } = rig({ LANG: "C.UTF-8" });
    const work = Promise.withResolvers<string>();
    const done = progress.during("fluxd", () => work.promise);

    await clock.advance(399);
    assert.equal(taken(), "");
    await clock.advance(1);
    assert.equal(taken(), `${erase}⠋ Waiting for fluxd (0s)`);
    await clock.advance(1_600);
    assert.match(taken(), /\x1b\[K⠦ Waiting for fluxd \(2s\)$/);
    work.resolve("answer");

    assert.equal(await done, "answer");
    assert.equal(taken(), erase);
  });

  it("says nothing of what is over soon", async () => {
    const { progress, taken } = rig();

    await progress.during("fluxd", () => Promise.resolve());

    assert.equal(taken(), "");
  });

  it("shows what the work says it waits for by now, cut to the width of the screen", async () => {
    const { clock, progress, taken } = rig();
    const work = Promise.withResolvers<undefined>();
    const done = progress.during("one", async (tell) => {
      tell("something that takes more than a line");
      await work.promise;
    });

    await clock.advance(400);
    work.resolve(undefined);
    await done;

    assert.equal(taken(), `${erase}| Waiting for something that takes more${erase}`);
  });

  it("makes room for what is written, and comes back", async () => {
    const { clock, progress, taken } = rig();
    const work = Promise.withResolvers<undefined>();
    const done = progress.during("fluxd", () => work.promise);
    await clock.advance(400);
    taken();

    progress.erase();
    progress.erase();
    assert.equal(taken(), erase);
    await clock.advance(100);
    assert.equal(taken(), `${erase}/ Waiting for fluxd (0s)`);

    work.resolve(undefined);
    await done;
  });

  it("shows what is waited for within something else instead of that", async () => {
    const { clock, progress, taken } = rig();
    const work = Promise.withResolvers<undefined>();
    const done = progress.during("outer", () => progress.during("inner", () => work.promise));

    await clock.advance(1_000);
    work.resolve(undefined);
    await done;

    const shown = taken();
    assert.match(shown, /inner/);
    assert.doesNotMatch(shown, /outer/);
  });

  for (const [what, env, isScreen] of [
    ["stderr is no screen", {}, false],
    ["the terminal cannot draw over a line", { TERM: "dumb" }, true],
  ] as const) {
    it(`shows nothing where ${what}`, async () => {
      const { clock, progress, taken } = rig(env, isScreen);
      const work = Promise.withResolvers<undefined>();
      const done = progress.during("fluxd", () => work.promise);

      await clock.advance(5_000);
      work.resolve(undefined);
      await done;

      assert.equal(taken(), "");
    });
  }

  it("takes the line away where the work fails", async () => {
    const { clock, progress, taken } = rig();
    const work = Promise.withResolvers<undefined>();
    const done = progress.during("fluxd", () => work.promise);
    await clock.advance(400);
    taken();
    work.reject(new Error("no"));

    await assert.rejects(done, { message: "no" });
    assert.equal(taken(), erase);
  });
});
