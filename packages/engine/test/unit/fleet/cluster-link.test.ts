import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { silentLogger } from "@weir/base";
import { FakeClock, ScriptedClient, settled } from "@weir/testing";
import type { Connection } from "../../../src/fleet/cluster-connection.ts";
import { ClusterLink } from "../../../src/fleet/cluster-link.ts";
import { OutsideCalls } from "../../../src/fleet/outside-calls.ts";
import { createClusterCache, createClusterEngine } from "../../../src/index.ts";

const never = (): Promise<never> => new Promise(() => undefined);

/** A link to a cluster of which a test decides how it answers, and what has happened to its connections. */
class Setup {
  readonly clock = new FakeClock();
  readonly calls = new OutsideCalls(this.clock);
  readonly told: string[] = [];
  readonly link: ClusterLink;
  readonly signal = new AbortController().signal;
  dial: () => Promise<void> = () => Promise.resolve();
  probe: () => Promise<void> = () => Promise.resolve();
  #count = 0;

  constructor() {
    this.link = new ClusterLink({
      cluster: "east",
      connect: async () => {
        this.#count += 1;
        const name = `connection ${this.#count}`;
        this.told.push(`${name} begins`);
        await this.dial();
        return this.#connection(name);
      },
      calls: this.calls,
      limitMs: 1_000,
      clock: this.clock,
      onUnavailable: ({ message }) => this.told.push(message),
    });
  }

  acquire(): ReturnType<ClusterLink["acquire"]> {
    return this.link.acquire(this.signal);
  }

  #connection(server: string): Connection {
    const client = new ScriptedClient({ lists: [] });
    const cache = createClusterCache({
      client,
      discovery: {} as never,
      managedLabel: undefined,
      namespaces: [],
      clock: this.clock,
      logger: silentLogger,
      excludes: () => false,
    });
    return {
      server,
      engine: createClusterEngine({ client, cache }),
      settings: { instanceLabelKey: "example.test/unit" },
      probe: () => this.probe(),
      mute: () => void this.told.push(`${server} is mute`),
      close: () => {
        this.told.push(`${server} is closed`);
        return Promise.resolve();
      },
    };
  }
}

describe("a link to a cluster", () => {
  let setup: Setup;

  beforeEach(() => {
    setup = new Setup();
  });

  it("connects once for all who use it", async () => {
    const leases = await Promise.all([setup.acquire(), setup.acquire()]);
    leases.forEach((lease) => lease[Symbol.dispose]());
    await setup.acquire();

    assert.deepEqual(setup.told, ["connection 1 begins"]);
  });

  it("gives new work a new connection, and closes the old one when its work has ended", async () => {
    const [first, second] = [await setup.acquire(), await setup.acquire()];
    setup.link.renew();
    const third = await setup.acquire();
    assert.equal(third.connection.server, "connection 2");
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await settled();
    assert.deepEqual(setup.told, ["connection 1 begins", "connection 2 begins", "connection 1 is mute"]);

    second[Symbol.dispose]();
    await settled();

    assert.equal(setup.told.at(-1), "connection 1 is closed");
  });

  it("closes a connection that nobody uses as soon as it's replaced", async () => {
    (await setup.acquire())[Symbol.dispose]();

    setup.link.renew();
    await settled();

    assert.deepEqual(setup.told, ["connection 1 begins", "connection 1 is mute", "connection 1 is closed"]);
  });

  it("refuses all work at once after the cluster gave no answer in time", async () => {
    setup.probe = never;
    const message = 'cluster "east": an answer of connection 1 took longer than 1 s';
    const refused = [setup.acquire(), setup.acquire()].map((work) => assert.rejects(work, { message }));
    await setup.clock.advance(1_000);
    await Promise.all(refused);

    await assert.rejects(setup.acquire(), { name: "ClusterUnavailableError", cluster: "east", message });

    assert.deepEqual(setup.told, ["connection 1 begins", message]);
  });

  it("names the cluster if there are no credentials, and gives up waiting for them", async () => {
    setup.dial = never;
    const message = 'cluster "east": getting the credentials of cluster "east" took longer than 1 s';
    const refused = assert.rejects(setup.acquire(), { message });

    await setup.clock.advance(1_000);

    await refused;
  });

  it("asks for a sign of life only from time to time", async () => {
    let probes = 0;
    setup.probe = () => {
      probes += 1;
      return Promise.resolve();
    };

    await setup.acquire();
    await setup.clock.advance(900);
    await setup.acquire();
    assert.equal(probes, 1);
    await setup.clock.advance(100);
    await setup.acquire();

    assert.equal(probes, 2);
  });

  it("can be used again when the cluster answers again", async () => {
    setup.probe = () => Promise.reject(new Error("away"));
    await assert.rejects(setup.acquire());
    assert.equal(await setup.link.recover(setup.signal), false);

    setup.probe = () => Promise.resolve();
    assert.equal(await setup.link.recover(setup.signal), true);

    assert.equal((await setup.acquire()).connection.server, "connection 1");
  });

  it("connects again where connecting has failed", async () => {
    setup.dial = () => Promise.reject(new Error("sealed"));
    await assert.rejects(setup.acquire(), { message: 'cluster "east": sealed' });

    setup.dial = () => Promise.resolve();
    assert.equal(await setup.link.recover(setup.signal), true);

    assert.equal((await setup.acquire()).connection.server, "connection 2");
  });

  it("is available again with new credentials", async () => {
    setup.probe = () => Promise.reject(new Error("forbidden"));
    await assert.rejects(setup.acquire());
    setup.probe = () => Promise.resolve();

    setup.link.renew();

    assert.equal((await setup.acquire()).connection.server, "connection 2");
  });

  it("waits for the new connection if the one it waited for was replaced", async () => {
    setup.dial = () => Promise.reject(new Error("the old token"));
    const work = setup.acquire();
    setup.dial = () => Promise.resolve();

    setup.link.renew();

    assert.equal((await work).connection.server, "connection 2");
  });

  it("closes everything at the end, whatever is used", async () => {
    await setup.acquire();
    setup.link.renew();
    const lease = await setup.acquire();

    setup.link.close();
    lease[Symbol.dispose]();
    await settled();

    assert.deepEqual(setup.told.filter((line) => line.endsWith("closed")).sort(), [
      "connection 1 is closed",
      "connection 2 is closed",
    ]);
    await assert.rejects(setup.acquire(), { message: 'cluster "east": the engine has ended' });
  });
});
