import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startEmbeddedCluster } from "@weir/embedded-cluster";
import { createRestClient, credentialsOf, parseKubeConfig } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import { kubeObject, Relay, serve, until } from "@weir/testing";
import type { FleetEngineOptions } from "../../src/index.ts";
import { Clusters, type RunningFleet, runFleet, Units } from "../support/fleet-rig.ts";

const limits = { connectMs: 2_000, compareMs: 20_000, generateMs: 2_000 };

/** An engine with limits that are short, but not for a busy machine. */
function run(clusters: Clusters, units: Units, more: Partial<FleetEngineOptions> = {}): RunningFleet {
  return runFleet(clusters, units, { limits, ...more });
}

function configMap(name: string) {
  return kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, namespace: default } }`;
}

/** Clients for an embedded cluster, at another port if one is given. */
function clientsFor(kubeconfig: string, port?: number): () => Promise<RestClient> {
  const credentials = credentialsOf(parseKubeConfig(kubeconfig, "kubeconfig"), { env: {} });
  const url = new URL(credentials.server);
  url.port = String(port ?? url.port);
  const server = url.href.replace(/\/$/, "");
  return () =>
    Promise.resolve(createRestClient({ credentials: { ...credentials, server }, userAgent: "weir/test" }));
}

function portOf(kubeconfig: string): number {
  return Number(new URL(credentialsOf(parseKubeConfig(kubeconfig, "kubeconfig"), { env: {} }).server).port);
}

/** Clients for a server without TLS. */
function clientsAt(server: string): () => Promise<RestClient> {
  const credentials = {
    server,
    namespace: "default",
    tls: () => Promise.resolve({}),
    headers: () => Promise.resolve({}),
    renew: () => false,
  };
  return () => Promise.resolve(createRestClient({ credentials, userAgent: "weir/test" }));
}

describe("a fleet with a cluster that", { timeout: 300_000 }, () => {
  it("accepts and never answers goes on with all others, and says so", async () => {
    await using healthy = await startEmbeddedCluster();
    await using silent = await serve(() => undefined);
    const units = new Units();
    units.add("lost-1", [configMap("lost-1")], "dark");
    units.add("lost-2", [configMap("lost-2")], "dark");
    units.add("well", [configMap("well")], "bright");
    const clusters = new Clusters()
      .add("dark", clientsAt(silent.url))
      .add("bright", clientsFor(healthy.kubeconfig));
    for (const id of ["lost-1", "lost-2", "well"]) {
      units.request(id);
    }

    await using fleet = run(clusters, units);
    await until("the healthy unit to be in sync", () => units.statusOf("well")?.sync === "Synced");
    await until("the others to be unknown", () =>
      ["lost-1", "lost-2"].every((id) => units.statusOf(id)?.message !== ""),
    );

    for (const id of ["lost-1", "lost-2"]) {
      const { sync, message } = units.statusOf(id) ?? {};
      assert.deepEqual(
        { sync, message },
        {
          sync: "Unknown",
          message: `cluster "dark": an answer of ${silent.url} took longer than 2 s`,
        },
      );
      await until("the request to fail", () => units.statusOf(id)?.operation?.phase === "Error");
    }
    assert.equal(
      fleet.log.filter((line) => line.includes("a cluster is unavailable cluster=dark")).length,
      1,
    );
  });

  it("goes dark is noticed, and the units of others are still compared", async () => {
    await using healthy = await startEmbeddedCluster();
    await using leaving = await startEmbeddedCluster();
    await using relay = new Relay(portOf(leaving.kubeconfig));
    const units = new Units();
    units.add("lost", [configMap("lost")], "leaving");
    units.add("well", [configMap("well")], "staying");
    const clusters = new Clusters()
      .add("leaving", clientsFor(leaving.kubeconfig, await relay.listen()))
      .add("staying", clientsFor(healthy.kubeconfig));
    await using fleet = run(clusters, units, { refreshMs: 100 });
    for (const id of ["lost", "well"]) {
      units.request(id);
    }
    await until("both syncs to end", () => fleet.completed.length === 2);
    await until("both to be in sync", () =>
      ["lost", "well"].every((id) => units.statusOf(id)?.sync === "Synced"),
    );

    relay.freeze();
    await until("the loss to be noticed", () => units.statusOf("lost")?.sync === "Unknown");
    assert.match(units.statusOf("lost")?.message ?? "", /^cluster "leaving": an answer of https:/);

    units.manifests.set("well", [configMap("well"), configMap("more")]);
    await until("the other to be compared", () => units.statusOf("well")?.sync === "OutOfSync");
    units.request("well");
    fleet.engine.refresh("well");
    await until("the other to be in sync", () => units.statusOf("well")?.sync === "Synced");
  });

  it("comes back is used again", async () => {
    await using cluster = await startEmbeddedCluster();
    let isAway = true;
    const connect = clientsFor(cluster.kubeconfig);
    const units = new Units();
    units.add("shop", [configMap("a")]);
    const clusters = new Clusters().add("here", () =>
      isAway ? Promise.reject(new Error("the vault is sealed")) : connect(),
    );
    await using fleet = run(clusters, units);
    await until("the unit to be unknown", () => units.statusOf("shop")?.message !== "");
    assert.equal(units.statusOf("shop")?.message, 'cluster "here": the vault is sealed');

    isAway = false;

    await until("the unit to be compared", () => units.statusOf("shop")?.sync === "OutOfSync");
    assert.equal(units.statusOf("shop")?.message, "");
    assert.equal(fleet.log.filter((line) => line.includes("available again")).length, 1);
  });
});

describe("a fleet with a generator that never ends for one unit", { timeout: 300_000 }, () => {
  it("goes on with the others", async () => {
    await using cluster = await startEmbeddedCluster();
    const units = new Units();
    units.add("stuck", []);
    units.add("well", [configMap("well")]);
    let calls = 0;
    const manifestGenerator = {
      generate(source: unknown) {
        calls += source === "stuck" ? 1 : 0;
        return source === "stuck" ? new Promise<never>(() => undefined) : units.generate(source);
      },
    };
    const clusters = new Clusters().add("here", clientsFor(cluster.kubeconfig));
    await using fleet = run(clusters, units, { manifestGenerator });

    await until("the healthy unit to be compared", () => units.statusOf("well")?.sync === "OutOfSync");
    await until("the other to be unknown", () => units.statusOf("stuck")?.message !== "");
    assert.match(
      units.statusOf("stuck")?.message ?? "",
      /^generating the manifests of unit "stuck" (took|has)/,
    );
    fleet.engine.refresh();
    await until("the next look", () => /so far$/.test(units.statusOf("stuck")?.message ?? ""));

    assert.equal(calls, 1);
    await fleet.stop();
    assert.deepEqual(
      fleet.log.filter((line) => line.includes("abandoned")),
      ['warning=abandoned what did not end what=generating the manifests of unit "stuck"'],
    );
  });
});
