import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEmbeddedCluster, until } from "@weir/testing";
import { KnownImages } from "../support/known-images.ts";
import { deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

describeOnEmbeddedCluster("fluxctl events", {}, (cluster) => {
  function started(repository: TestRepository): Promise<OwnFluxd> {
    const images = new KnownImages({});
    return OwnFluxd.start({ repository, kubeconfigPath: cluster.kubeconfigPath, images });
  }

  async function head(repository: TestRepository): Promise<string> {
    return repository.upstream("rev-parse", "--short=7", "master");
  }

  /** What stands behind the times, a line an event. */
  function told(stdout: string): readonly string[] {
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.replace(/^[\d-]{10} [\d:]{8} [+-]\d{4} +/, "").replaceAll(/ {2,}/g, "  "));
  }

  it("tells what was synced and committed, and of one workload only where asked", async () => {
    await using repository = await TestRepository.create({
      "a.yaml": deployment("events-a", "example.test/app:1"),
      "b.yaml": deployment("events-b", "example.test/app:1"),
    });
    await using fluxd = await started(repository);
    const first = await head(repository);
    await fluxctl(fluxd, "lock", "--workload", "deployment/events-a");
    await fluxctl(fluxd, "sync");
    const second = await head(repository);

    const all = await fluxctl(fluxd, "events");
    const ofB = await fluxctl(fluxd, "events", "-w", "deployment/events-b", "-o", "json");

    assert.deepEqual([all.code, all.stderr], [0, ""]);
    assert.deepEqual(told(all.stdout).slice(0, 3), [
      "TIME  TYPE  MESSAGE",
      `sync  Sync: ${first}, default:deployment/events-a, default:deployment/events-b`,
      `commit  Commit: ${second}, default:deployment/events-a: locked`,
    ]);
    assert.deepEqual(
      (JSON.parse(ofB.stdout) as readonly Record<string, unknown>[]).map(({ type, serviceIDs }) => [
        type,
        serviceIDs,
      ]),
      [["sync", ["default:deployment/events-a", "default:deployment/events-b"]]],
    );
  });

  it("waits for news where asked to", async () => {
    await using repository = await TestRepository.create({
      "a.yaml": deployment("events-d", "example.test/app:1"),
    });
    await using fluxd = await started(repository);
    const last = async (query: string): Promise<{ readonly id: number; readonly type: string }> => {
      const answer = await fetch(`${fluxd.apiUrl}/v12/events?${query}`);
      const events = (await answer.json()) as readonly { readonly id: number; readonly type: string }[];
      return events.at(-1) ?? { id: 0, type: "none" };
    };

    const { id } = await last("");
    const next = last(`after=${id}&wait=60`);
    await fluxctl(fluxd, "lock", "--workload", "deployment/events-d");

    assert.equal((await next).type, "commit");
  });

  it("tells why a sync failed", async () => {
    await using repository = await TestRepository.create({
      "a.yaml": deployment("events-c", "example.test/app:1"),
    });
    await using fluxd = await started(repository);
    await repository.push({ "broken.yaml": "kind: [" }, "break it");
    const synced = fluxctl(fluxd, "sync", "--timeout=1s");

    const failures = async (): Promise<readonly string[]> =>
      told((await fluxctl(fluxd, "events", "--type", "failure", "--no-headers")).stdout);
    await until("the failure", async () => (await failures()).length > 0);
    await synced;
    const [failure, ...others] = await failures();
    assert.match(failure ?? "", /^failure {2}sync failed: loading resources from repo: .*broken\.yaml/);
    assert.deepEqual(others, []);
  });
});
