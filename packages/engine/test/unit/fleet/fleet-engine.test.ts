import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RestClient } from "@weir/kube/rest";
import { FakeClock, settled } from "@weir/testing";
import type { FleetEngineOptions } from "../../../src/index.ts";
import { Clusters, type RunningFleet, runFleet, Units } from "../../support/fleet-rig.ts";

const never = (): Promise<never> => new Promise(() => undefined);

/** A client that never answers and ignores all signals. */
const deafClient: RestClient = {
  server: "https://deaf",
  json: never,
  // biome-ignore lint/correctness/useYield: it never comes to that
  async *lines() {
    await never();
  },
  close: never,
};

/** A client of a server that answers nothing but an empty list of kinds. */
const emptyClient: RestClient = {
  server: "https://empty",
  json: ({ path }) =>
    Promise.resolve(
      path === "/api" ? { kind: "APIVersions", versions: [] } : { kind: "APIGroupList", groups: [] },
    ),
  // biome-ignore lint/correctness/useYield: there are no kinds to watch
  async *lines({ signal }) {
    await new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  },
  close: () => Promise.resolve(),
};

/** A unit with a request in a cluster, and whatever is replaced by something that hangs. */
function run(client: RestClient, hang: (units: Units, clusters: Clusters) => Partial<FleetEngineOptions>) {
  const clock = new FakeClock();
  const units = new Units();
  units.add("shop", []);
  units.request("shop", { prune: "on" });
  const clusters = new Clusters().add("here", () => Promise.resolve(client));
  return { clock, units, fleet: runFleet(clusters, units, { clock, ...hang(units, clusters) }) };
}

/** Aborts the engine, and lets two seconds pass; true if it has ended then. */
async function endsInTime(fleet: RunningFleet, clock: FakeClock): Promise<boolean> {
  let hasEnded = false;
  void fleet.stop().then(() => (hasEnded = true));
  await clock.advance(2_000);
  await settled();
  return hasEnded;
}

describe("a fleet engine", () => {
  const hanging: Readonly<
    Record<string, readonly [RestClient, Parameters<typeof run>[1], string | undefined]>
  > = {
    "a server": [deafClient, () => ({}), "an answer of https://deaf"],
    "a generator": [
      emptyClient,
      () => ({ manifestGenerator: { generate: never } }),
      'generating the manifests of unit "shop"',
    ],
    "a store that lists": [
      emptyClient,
      (units) => ({ store: { list: never, get: (id) => units.get(id), setStatus: never } }),
      "listing the units",
    ],
    "a store that reads": [
      emptyClient,
      (units) => ({ store: { list: () => units.list(), get: never, setStatus: never } }),
      'reading unit "shop" from the store',
    ],
    "a store that writes": [
      emptyClient,
      (units) => ({ store: { list: () => units.list(), get: (id) => units.get(id), setStatus: never } }),
      'storing the status of unit "shop"',
    ],
    "a credentials store": [
      emptyClient,
      (_units, clusters) => ({
        credentialsStore: {
          getCluster: never,
          watchClusters: (listener, signal) => clusters.watchClusters(listener, signal),
        },
      }),
      'getting the credentials of cluster "here"',
    ],
    "a watch for clusters": [
      emptyClient,
      (_units, clusters) => ({
        credentialsStore: { getCluster: (name) => clusters.getCluster(name), watchClusters: never },
      }),
      "watching the clusters",
    ],
    nothing: [emptyClient, () => ({}), undefined],
  };

  for (const [what, [client, hang, abandoned]] of Object.entries(hanging)) {
    it(`ends soon after an abort though ${what} hangs`, async () => {
      const { clock, fleet } = run(client, hang);
      await clock.advance(100);

      assert.equal(await endsInTime(fleet, clock), true);

      const warnings = fleet.log.filter((line) => line.includes("abandoned"));
      if (abandoned === undefined) {
        assert.deepEqual(warnings, []);
      } else {
        assert.ok(
          warnings.includes(`warning=abandoned what did not end what=${abandoned}`),
          warnings.join("\n"),
        );
      }
    });
  }

  it("ends soon after an abort though a review hangs", async () => {
    const { clock, fleet } = run(emptyClient, () => ({}));
    const begun = Promise.withResolvers<undefined>();
    fleet.engine.onBeforeSync(() => {
      begun.resolve(undefined);
      return never();
    });
    await begun.promise;

    assert.equal(await endsInTime(fleet, clock), true);

    assert.ok(
      fleet.log.some((line) =>
        line.includes('abandoned what did not end what=the review of the sync of unit "shop"'),
      ),
    );
  });

  it("leaves a request that it was interrupted in, and runs it the next time", async () => {
    const first = run(emptyClient, () => ({}));
    first.fleet.engine.onBeforeSync(never);
    await first.clock.advance(100);
    assert.equal(await endsInTime(first.fleet, first.clock), true);
    assert.equal(first.units.statusOf("shop")?.operation?.phase, "Running");

    const clock = new FakeClock();
    const clusters = new Clusters().add("here", () => Promise.resolve(emptyClient));
    const second = runFleet(clusters, first.units, { clock });
    await clock.advance(100);

    assert.equal(first.units.statusOf("shop")?.operation?.phase, "Succeeded");
    assert.equal(await endsInTime(second, clock), true);
  });

  it("runs each request once, and never erases it", async () => {
    const { clock, units, fleet } = run(emptyClient, () => ({}));
    await clock.advance(100);
    fleet.engine.refresh();
    fleet.engine.refresh("shop");
    await clock.advance(100);

    assert.equal(fleet.completed.length, 1);
    assert.deepEqual(units.unit("shop")?.operation, { prune: "on", generation: 1 });
    assert.equal(await endsInTime(fleet, clock), true);
  });

  it("says that it can't carry on with a sync whose request is gone", async () => {
    const clock = new FakeClock();
    const units = new Units();
    units.add("shop", []);
    await units.setStatus("shop", {
      sync: "Unknown",
      health: "Unknown",
      revision: "",
      message: "",
      operation: { phase: "Running", message: "", generation: 3, cluster: "here", startedAt: 0 },
    });
    const clusters = new Clusters().add("here", () => Promise.resolve(emptyClient));
    const fleet = runFleet(clusters, units, { clock });
    await clock.advance(100);

    const { phase, message } = units.statusOf("shop")?.operation ?? {};
    assert.deepEqual(
      { phase, message },
      { phase: "Error", message: "it was interrupted, and its request is gone" },
    );
    assert.equal(await endsInTime(fleet, clock), true);
  });

  it("keeps an interrupted sync for later while its cluster is unavailable", async () => {
    const first = run(emptyClient, () => ({}));
    first.fleet.engine.onBeforeSync(never);
    await first.clock.advance(100);
    await endsInTime(first.fleet, first.clock);
    let client = deafClient;
    const clock = new FakeClock();
    const clusters = new Clusters().add("here", () => Promise.resolve(client));
    const second = runFleet(clusters, first.units, { clock });
    await clock.advance(20_000);
    const { phase, message } = first.units.statusOf("shop")?.operation ?? {};
    assert.deepEqual(
      { phase, message },
      {
        phase: "Running",
        message:
          'interrupted, and continues later: cluster "here": an answer of https://deaf took longer than 15 s',
      },
    );

    client = emptyClient;
    clusters.tell({ kind: "changed", cluster: "here" });
    await clock.advance(100);

    assert.equal(first.units.statusOf("shop")?.operation?.phase, "Succeeded");
    assert.equal(await endsInTime(second, clock), true);
  });
});
