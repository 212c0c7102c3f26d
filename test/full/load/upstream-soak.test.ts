import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConnectedDaemon } from "@weir/upstream-server";
import { Console } from "../../support/console.ts";
import { Fluxd } from "../../support/fluxd.ts";
import { inspectable, liveHeap } from "../../support/inspected-heap.ts";
import { deployment } from "../../support/manifests.ts";
import { TestRepository } from "../../support/repository.ts";

const { signal } = new AbortController();
const calls = 10_000;
/** Five calls each, asked at once, so that answers wait for each other. */
const roundsAtOnce = 40;
/** What 10,000 calls may leave, in bytes: far less than if each left 1 kB. */
const allowance = 4 * 1024 * 1024;

describe("a connection over which much is asked", () => {
  it(`holds no more after ${calls} calls than before`, async (t) => {
    await using repository = await TestRepository.create({ "d.yaml": deployment("soaked") });
    await using upstream = await Console.start();
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      flags: ["--embedded-cluster", `--connect=${upstream.url}`],
      env: { NODE_OPTIONS: inspectable },
    });
    await fluxd.synced(repository);
    const daemon = await upstream.daemon();
    await ask(daemon, 2000);
    const before = await liveHeap(fluxd.log);

    await ask(daemon, calls);

    const growth = (await liveHeap(fluxd.log)) - before;
    t.diagnostic(`${before} bytes before, ${growth} more after`);
    assert.ok(growth < allowance, `${growth} bytes more are held`);
    assert.equal(upstream.daemons.length, 1, "over one connection");
  });
});

/** Calls of several kinds; one in five is refused. */
async function ask({ api }: ConnectedDaemon, count: number): Promise<void> {
  const cause = { user: "", message: "" };
  for (let asked = 0; asked < count; asked += 5 * roundsAtOnce) {
    const rounds = Array.from({ length: roundsAtOnce }, () => [
      api.ping(signal),
      api.version(signal),
      api.listWorkloads({ namespace: "", workloads: [] }, signal),
      api.gitRepoConfig(false, signal),
      assert.rejects(api.updateManifests({ type: "auto", cause, spec: [] }, signal)),
    ]);
    await Promise.all(rounds.flat());
  }
}
