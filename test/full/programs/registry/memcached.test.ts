import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { silentLogger, systemClock } from "@weir/base";
import { ImageStoreAwayError } from "@weir/flux";
import { lacks, serve } from "@weir/testing";
import type { CacheStore } from "../../../../src/registry/cache/store.ts";
import { MemcachedError } from "../../../../src/registry/memcached/connection.ts";
import { openMemcached } from "../../../../src/registry/memcached/memcached.ts";
import type { ServerAddress } from "../../../../src/registry/memcached/servers.ts";
import { MemcachedServer } from "../../../support/registry-memcached.ts";

const hour = 3_600_000;

function open(...servers: readonly ServerAddress[]): Promise<CacheStore> {
  return openMemcached({
    findServers: () => Promise.resolve(servers),
    timeoutMs: 5_000,
    clock: systemClock,
    logger: silentLogger,
  });
}

describe("a cache in memcached", { skip: lacks("memcached") }, () => {
  let memcached: MemcachedServer;

  before(async () => {
    memcached = await MemcachedServer.start();
  });

  after(() => memcached[Symbol.asyncDispose]());

  /** How long memcached will still keep an item, by its meta protocol. */
  async function secondsLeft(key: string): Promise<number> {
    return Number(/^HD t(\d+)/.exec(await memcached.ask(`mg ${key} t\r\n`))?.[1]);
  }

  it("gives back what was put in, with its deadline to the second", async () => {
    const store = await open(memcached);
    const deadline = Date.parse("2030-01-02T03:04:05Z");

    await store.set("a-key", { value: "Grüße\r\nEND\r\n", deadline });

    assert.deepEqual(await store.get("a-key"), { value: "Grüße\r\nEND\r\n", deadline });
    assert.equal(await store.get("no-key"), undefined);
    await store.close();
  });

  it("writes what Flux reads: the deadline in four bytes, then the value", async () => {
    const store = await open(memcached);
    await store.set("as-flux", { value: "{}", deadline: 0x01020304 * 1000 });

    assert.equal(
      await memcached.ask("get as-flux\r\n"),
      "VALUE as-flux 0 6\r\n\x01\x02\x03\x04{}\r\nEND\r\n",
    );
    await store.close();
  });

  it("keeps an item for twice the time until it is due", async () => {
    const store = await open(memcached);
    await store.set("for-long", { value: "x", deadline: Date.now() + 5 * hour });
    await store.set("for-an-hour", { value: "x", deadline: Date.now() - hour });

    const [long = 0, short = 0] = await Promise.all(["for-long", "for-an-hour"].map(secondsLeft));
    assert.ok(long > 35_990 && long <= 36_000, `${long} s`);
    assert.ok(short > 3_590 && short <= 3_600, `${short} s`);
    await store.close();
  });

  it("answers many questions at once, each with its own value", async () => {
    const store = await open(memcached);
    const keys = Array.from({ length: 2_000 }, (_, index) => `many-${index}`);
    await Promise.all(keys.map((key) => store.set(key, { value: key.repeat(50), deadline: Date.now() })));

    const found = await Promise.all(keys.map((key) => store.get(key)));

    assert.deepEqual(
      found.map((item) => item?.value),
      keys.map((key) => key.repeat(50)),
    );
    await store.close();
  });

  it("refuses what is too large by name, with what to do, and goes on", async () => {
    const store = await open(memcached);

    await assert.rejects(
      store.set("large", { value: "x".repeat(2 << 20), deadline: Date.now() }),
      (error) => {
        assert.ok(error instanceof MemcachedError);
        assert.match(error.message, /too large.*\(large\); allow larger items with memcached's option -I/);
        return true;
      },
    );
    await store.set("small", { value: "x", deadline: Date.now() });
    assert.equal((await store.get("small"))?.value, "x");
    await store.close();
  });

  it("fails while the server is away, and works when it is back", async () => {
    await using other = await MemcachedServer.start();
    const store = await open(other);
    await store.set("key", { value: "x", deadline: Date.now() });

    await other.stop();
    await assert.rejects(store.get("key"), (error) => {
      assert.ok(error instanceof ImageStoreAwayError);
      assert.match(error.message, new RegExp(`^memcached at 127\\.0\\.0\\.1:${String(other.port)}: `));
      return true;
    });

    await other.start();
    assert.equal(await store.get("key"), undefined);
    await store.set("key", { value: "y", deadline: Date.now() });
    assert.equal((await store.get("key"))?.value, "y");
    await store.close();
  });

  it("does not notice that a server was started anew between two commands", async () => {
    await using other = await MemcachedServer.start();
    const store = await open(other);
    await store.set("key", { value: "x", deadline: Date.now() });

    await other.stop();
    await other.start();

    assert.equal(await store.get("key"), undefined);
    await store.close();
  });

  it("cannot be opened where nobody is there, or somebody else is", async () => {
    await using web = await serve(() => undefined);

    await assert.rejects(open({ host: "127.0.0.1", port: 1 }), /ECONNREFUSED/);
    await assert.rejects(open({ host: "127.0.0.1", port: Number(new URL(web.url).port) }), MemcachedError);
    await assert.rejects(open(), /no server was found/);
  });
});
