import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type JsonValue, Listeners, silentLogger } from "@weir/base";
import { FakeClock } from "@weir/testing";
import type { Call } from "@weir/upstream-server";
import type { Bus } from "../../../src/bus/bus.ts";
import { SilentConsoleError, Switchboard } from "../../../src/daemons/switchboard.ts";

const { signal } = new AbortController();
const limits = { timeout: 30_000 };
const lease = { instanceId: "prod", consoleId: "there", leaseId: "lease-1" };

describe("a call that is passed on", () => {
  it("fails soon if the console of the daemon is gone", async () => {
    const { clock, here } = consoles();

    const answer = here.callOver("prod", lease)("Version", null, limits, signal);
    const refused = assert.rejects(answer, SilentConsoleError);
    await clock.advance(5_000);

    await refused;
  });

  it("waits for a daemon that takes its time, as long as its console is there", async () => {
    const { clock, here, connect } = consoles();
    const slow = Promise.withResolvers<JsonValue>();
    connect(() => slow.promise);

    const answer = here.callOver("prod", lease)("Version", null, limits, signal);
    await clock.advance(20_000);
    slow.resolve("1.2.3");

    assert.equal(await answer, "1.2.3");
  });

  it("ends when a daemon and its console have had their time", async () => {
    const { clock, here, connect } = consoles();
    connect(() => new Promise(() => undefined));

    const answer = here.callOver("prod", lease)("Version", null, limits, signal);
    const refused = assert.rejects(answer, /did not answer/);
    await clock.advance(35_000);

    await refused;
  });

  it("costs no message more if it's answered at once", async () => {
    const { clock, here, connect, sent } = consoles();
    connect(() => Promise.resolve("1.2.3"));

    const answer = await here.callOver("prod", lease)("Version", null, limits, signal);
    await clock.advance(5_000);

    assert.equal(answer, "1.2.3");
    assert.deepEqual(sent, ["call", "answer"]);
  });
});

/** A console that passes calls on, and another one, which isn't there before a daemon connects to it. */
function consoles() {
  const clock = new FakeClock();
  const sent: string[] = [];
  const topics = new Map<string, Listeners<(message: JsonValue) => void>>();
  const listenersOf = (topic: string) => {
    const found = topics.get(topic) ?? new Listeners<(message: JsonValue) => void>();
    topics.set(topic, found);
    return found;
  };
  const bus: Bus = {
    publish: async (topic, message) => {
      sent.push((message as { readonly kind: string }).kind);
      await Promise.resolve();
      [...listenersOf(topic)].forEach((hear) => hear(message));
    },
    subscribe: (topic, handler) => listenersOf(topic).add(handler),
    onGap: () => () => undefined,
  };
  const start = (consoleId: string, call?: Call): Switchboard =>
    new Switchboard({
      ...{ consoleId, bus, clock, log: silentLogger, close: () => undefined },
      linkOf: () => (call === undefined ? undefined : { lease, daemon: { call } }),
    });
  const connect = (call: Call): void => void start("there", call);
  return { clock, here: start("here"), connect, sent };
}
