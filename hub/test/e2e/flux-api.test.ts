import assert from "node:assert/strict";
import { it } from "node:test";
import { encodeUpdateSpec, parseResourceId } from "@weir/flux";
import { until } from "@weir/testing";
import { type FluxctlResult, runFluxctl } from "../../../test/support/fluxctl.ts";
import { Fluxd } from "../../../test/support/fluxd.ts";
import { deployment } from "../../../test/support/manifests.ts";
import { TestRepository } from "../../../test/support/repository.ts";
import type { Database } from "../../src/store/database.ts";
import { listEvents } from "../../src/store/events.ts";
import { createJob } from "../../src/store/job-lifecycle.ts";
import { findJob } from "../../src/store/jobs.ts";
import { listWorkloads } from "../../src/store/workloads.ts";
import { describeOnBothDatabases, describeOnServer } from "../support/databases.ts";
import { TestConsole } from "../support/test-console.ts";

const { signal } = new AbortController();
const token = "t0ken-of-production";
const workload = parseResourceId("default:deployment/called");

describeOnBothDatabases("fluxctl, through a console", (databases) => {
  it("does what it does with the daemon itself", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    await using world = await World.start(console);
    const fluxctl = (...args: string[]): Promise<FluxctlResult> => runAt(console.url, token, args);

    const listed = await fluxctl("list-workloads", "--namespace=default");
    const images = await fluxctl("list-images", "--namespace=default");
    const status = await fluxctl("status");
    const locked = await fluxctl(
      "lock",
      "--workload=default:deployment/called",
      "-m",
      "hands off",
      "--user=ann",
    );
    const synced = await fluxctl("sync");

    assert.match(listed.stdout, /default:deployment\/called +\S+ +\S+/);
    assert.match(images.stdout, /default:deployment\/called/);
    assert.equal(status.exit, 0, status.stderr);
    assert.equal(locked.exit, 0, locked.stderr);
    assert.match(locked.stderr + locked.stdout, /Commit pushed/);
    assert.equal(synced.exit, 0, synced.stderr);
    await until("the console to know of the lock", async () => {
      const [stored] = await workloadsOf(database);
      return stored?.locked === true && stored.lockedReason === "hands off";
    });
    const types = (await eventsOf(database)).map(({ type }) => type);
    assert.deepEqual([types.includes("commit"), types.includes("sync")], [true, true]);
    const { kind, gitUrl, syncState } = await console.instanceWhen(
      world.instanceId,
      "the sync",
      ({ syncState: state }) => state === "synced",
    );
    assert.deepEqual([kind, gitUrl, syncState], ["weir", world.repository.url, "synced"]);
  });
});

describeOnServer("fluxctl, through another console than the daemon", (databases) => {
  it("does the same, and a job is done once", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    await using here = await TestConsole.start(one);
    await using there = await TestConsole.start(other);
    await using world = await World.start(here);
    const fluxctl = (...args: string[]): Promise<FluxctlResult> => runAt(there.url, token, args);

    const listed = await fluxctl("list-workloads", "--namespace=default");
    const tree = await fluxctl("tree", "--namespace=default");
    const automated = await fluxctl("automate", "--workload=default:deployment/called");

    assert.match(listed.stdout, /default:deployment\/called/);
    assert.match(tree.stdout, /called/);
    assert.equal(automated.exit, 0, automated.stderr);
    const spec = new Map([[workload, { add: {}, remove: { automated: "true" } }]]);
    const created = await createJob(
      other.connection,
      {
        ...{ instanceId: world.instanceId, idempotencyKey: "1", kind: "policy", request: {} },
        spec: encodeUpdateSpec({ type: "policy", cause: { user: "ann", message: "" }, spec }),
        ...{ workloadIds: [workload], namespaces: ["default"], summary: "deautomate", plan: null },
        ...{
          planDigest: "",
          exact: false,
          needsApproval: false,
          requestedBy: { id: null, name: "ann", tokenId: null },
        },
      },
      Date.now(),
    );
    await there.wake(world.instanceId);
    const job = await until("the job", async () => {
      const found = await findJob(other.connection, created.id, "everything");
      return found?.endedAt !== null && found;
    });
    assert.deepEqual([job.state, job.error], ["succeeded", ""]);
    assert.equal(job.revision, await world.repository.upstream("rev-parse", "master"));
    const inspection = await (await there.hub.daemon(world.instanceId)).inspection(signal);
    const report = await inspection?.why({ subject: workload, namespace: "" }, signal);
    assert.equal(report?.kind, "resource");
  });
});

/** A fluxd with an embedded cluster that's connected to a console and has synced. */
class World implements AsyncDisposable {
  readonly repository: TestRepository;
  readonly instanceId: string;
  readonly #fluxd: Fluxd;

  private constructor(repository: TestRepository, instanceId: string, fluxd: Fluxd) {
    this.repository = repository;
    this.instanceId = instanceId;
    this.#fluxd = fluxd;
  }

  static async start(console: TestConsole): Promise<World> {
    const instanceId = await console.addInstance("prod", token);
    const repository = await TestRepository.create({ "d.yaml": deployment("called") });
    const fluxd = await Fluxd.start({
      gitUrl: repository.url,
      flags: ["--embedded-cluster", `--connect=${console.url.replace("http", "ws")}`, `--token=${token}`],
    });
    await fluxd.synced(repository);
    await console.instanceWhen(instanceId, "the daemon to connect", ({ connected }) => connected);
    return new World(repository, instanceId, fluxd);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fluxd[Symbol.asyncDispose]();
    await this.repository[Symbol.asyncDispose]();
  }
}

function runAt(url: string, withToken: string, args: readonly string[]): Promise<FluxctlResult> {
  return runFluxctl([...args, `--url=${url}`, `--token=${withToken}`]);
}

async function workloadsOf(database: Database) {
  const page = { sort: "namespace", descending: false, limit: 10 } as const;
  return (await listWorkloads(database.connection, { scope: "everything" }, page)).items;
}

async function eventsOf(database: Database) {
  const page = { sort: "at", descending: false, limit: 100 } as const;
  return (await listEvents(database.connection, { scope: "everything" }, page)).items;
}
