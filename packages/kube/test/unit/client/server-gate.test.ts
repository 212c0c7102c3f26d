import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@weir/testing";
import { ServerGate } from "../../../src/client/server-gate.ts";
import { ConnectionError } from "../../../src/rest/transport.ts";

const server = "https://host";
const reset = new ConnectionError({ server, sent: true, reason: "reset" });

/** A gate without jitter, and the state of those who want to pass it. */
class Run {
  readonly clock = new FakeClock();
  readonly gate = new ServerGate(server, this.clock, () => 0);

  /** Comes to the gate; the state of it can be read later. */
  come(signal?: AbortSignal): { state: string } {
    const visitor = { state: "waits" };
    this.gate.pass(signal).then(
      () => (visitor.state = "passed"),
      (error: unknown) => (visitor.state = error instanceof Error ? error.message : "failed"),
    );
    return visitor;
  }
}

/** A clock by which every timer fires a little early. */
class EarlyClock extends FakeClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(ms - 1, signal);
  }
}

describe("a server's gate", () => {
  it("is open while the server answers", async () => {
    const run = new Run();
    run.gate.answered();

    const visitors = [run.come(), run.come()];
    await settled();

    assert.deepEqual(
      visitors.map(({ state }) => state),
      ["passed", "passed"],
    );
  });

  it("lets one through after a loss, and the others when that one is answered", async () => {
    const run = new Run();
    run.gate.lost(reset);
    const visitors = [run.come(), run.come(), run.come()];
    const states = (): readonly string[] => visitors.map(({ state }) => state);

    await run.clock.advance(99);
    assert.deepEqual(states(), ["waits", "waits", "waits"]);
    await run.clock.advance(1);
    assert.deepEqual(states(), ["passed", "waits", "waits"]);

    run.gate.answered();
    await settled();
    assert.deepEqual(states(), ["passed", "passed", "passed"]);
    await run.gate.pass();
  });

  it("counts the loss of the one that went ahead even if a timer let it through too early", async () => {
    const clock = new EarlyClock();
    const gate = new ServerGate(server, clock, () => 0);
    gate.lost(reset);
    const first = gate.pass();
    const second = assert.rejects(gate.pass(), ConnectionError);
    await clock.advance(99);
    await first;

    gate.lost(reset);

    await second;
    assert.equal(gate.failures, 2);
  });

  it("tells the others what became of the one that went ahead", async () => {
    const run = new Run();
    run.gate.lost(reset);
    const first = run.come();
    const second = run.come();
    await run.clock.advance(100);

    run.gate.lost(reset);
    await settled();

    assert.deepEqual([first.state, second.state], ["passed", `cannot connect to ${server}: reset`]);
  });

  it("counts what is lost together as one loss, and waits longer after each, up to 800 ms", async () => {
    const run = new Run();
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const lostAt = run.clock.now();
      for (let watch = 0; watch < 60; watch += 1) {
        run.gate.lost(reset);
      }
      const scout = run.come();
      while (scout.state === "waits") {
        await run.clock.advance(50);
      }
      waits.push(run.clock.now() - lostAt);
    }

    assert.deepEqual(waits, [100, 200, 400, 800, 800, 800, 800]);
  });

  it("asks a server that is away a few times in five seconds, however many wait for it", async () => {
    const run = new Run();
    let connects = 0;
    const watch = async (): Promise<never> => {
      for (;;) {
        await run.gate.pass().then(
          () => {
            connects += 1;
            run.gate.lost(reset);
          },
          () => undefined,
        );
        await settled();
      }
    };
    run.gate.lost(reset);
    for (let index = 0; index < 60; index += 1) {
      watch().catch(() => undefined);
    }

    for (let passed = 0; passed < 5_000; passed += 50) {
      await run.clock.advance(50);
    }

    assert.equal(connects, 8);
  });

  it("is not held up by one that gets no answer", async () => {
    const run = new Run();
    run.gate.lost(reset);
    const visitors = [run.come(), run.come(), run.come()];
    await run.clock.advance(100);

    await run.clock.advance(2_000);

    assert.deepEqual(
      visitors.map(({ state }) => state),
      ["passed", "passed", "passed"],
    );
  });

  it("lets go of who does not want to wait any more", async () => {
    const run = new Run();
    const stopping = new AbortController();
    run.gate.lost(reset);
    run.come();
    const visitor = run.come(stopping.signal);
    await run.clock.advance(100);

    stopping.abort(new Error("enough"));
    await settled();

    assert.equal(visitor.state, "enough");
  });
});
