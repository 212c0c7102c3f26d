import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { silentLogger } from "@weir/base";
import { describeOnEmbeddedCluster, until } from "@weir/testing";
import { KnownImages } from "../../../test/support/known-images.ts";
import { deployment } from "../../../test/support/manifests.ts";
import { OwnFluxd } from "../../../test/support/own-fluxd.ts";
import { TestRepository } from "../../../test/support/repository.ts";
import type { Job, JobSpec } from "../../src/contract/jobs.ts";
import { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { ConsoleOverHttp } from "../support/console-over-http.ts";

const image = "example.test/app";
const web = "default:deployment/web";
const webPath = "/apis/apps/v1/namespaces/default/deployments/web";
const secret = `apiVersion: v1
kind: Secret
metadata: { name: keys, namespace: default }
stringData: { pin: "hush-1234" }
`;

describeOnEmbeddedCluster("the console with a fluxd", {}, (cluster) => {
  let world: World;

  before(async () => {
    world = await World.start(cluster.kubeconfigPath);
  });

  after(() => world[Symbol.asyncDispose]());

  it("shows a workload in git, in the cluster, and after the next sync", async () => {
    const { over, path } = world;

    const same = await over.ask("ada", "comparison", { path });
    await cluster.kube.patch(`${webPath}?fieldManager=kubectl-edit`, { spec: { replicas: 3 } });
    const { different, drift } = await until("the change to be seen", async () => {
      const found = {
        different: await over.ask("ada", "comparison", { path }),
        drift: await over.ask("ada", "drift", { path }),
      };
      return found.drift.rows.length > 0 && found.different.changes !== "" && found;
    });

    assert.match(same.git ?? "", /^apiVersion: apps\/v1\nkind: Deployment\n/);
    assert.match(same.live ?? "", /\nkind: Deployment\n/);
    assert.equal(same.live?.includes("managedFields") || same.live?.includes("sync-checksum"), false);
    assert.deepEqual([same.predicted, same.changes], [same.live, ""]);
    assert.match(
      different.changes,
      /^--- live\/default:deployment\/web\n\+\+\+ predicted.*\n(.*\n)*- {2}replicas: 3\n\+ {2}replicas: 1\n/,
    );
    assert.match(different.live ?? "", /replicas: 3/);
    assert.match(different.predicted ?? "", /replicas: 1/);
    assert.deepEqual(
      drift.rows.map(({ id, kind, by }) => [id, kind, by]),
      [[web, "changed", ["kubectl-edit"]]],
    );
    assert.equal(drift.revision, await world.repository.upstream("rev-parse", "master"));
  });

  it("puts back what was changed in the cluster, as its plan says", async () => {
    const { over, path } = world;

    const plan = await over.ask("ada", "plan", { path, body: { kind: "sync" } });
    const job = await world.does({ kind: "sync" }, plan.digest);

    assert.deepEqual(
      plan.changes.map(({ workload, status, message }) => [workload, status, message]),
      [[web, "success", "Is changed."]],
    );
    assert.deepEqual([job.state, job.error], ["succeeded", ""]);
    await until("the number of replicas that is in git", async () =>
      JSON.stringify(await cluster.kube.get(webPath)).includes('"replicas":1,'),
    );
  });

  it("hides the values of Secrets", async () => {
    const { over, path } = world;
    await cluster.kube.patch("/api/v1/namespaces/default/secrets/keys?fieldManager=kubectl-edit", {
      stringData: { pin: "leak-5678" },
    });

    const drift = await until("the change to be seen", async () => {
      const found = await over.ask("ada", "drift", { path });
      return found.rows.some(({ id }) => id === "default:secret/keys") && found;
    });
    const plan = await over.ask("ada", "plan", { path, body: { kind: "sync" } });
    const ofSecret = { path: { ...path, workload: "default:secret/keys" } };

    const told = JSON.stringify([drift, plan]);
    for (const value of ["hush-1234", "leak-5678"]) {
      assert.equal(told.includes(value) || told.includes(btoa(value)), false);
    }
    assert.match(await over.refusal("ada", "comparison", ofSecret), /^404 /);
  });

  it("releases exactly what was planned, locks, says why, and undoes", async () => {
    const { over, path, repository } = world;
    const latest: JobSpec = {
      kind: "release",
      workloads: [web],
      images: "latest",
      force: false,
      message: "Ship it",
    };

    const images = await over.ask("ada", "workloadImages", { path });
    const plan = await over.ask("ada", "plan", { path, body: latest });
    const released = await world.does(latest, plan.digest);
    const again = await over.ask("ada", "plan", { path, body: latest });
    const chosen: JobSpec = {
      ...latest,
      images: [{ workload: web, container: "main", image: `${image}:1` }],
    };
    const back = await over.ask("ada", "plan", { path, body: chosen });
    const locked = await world.does({ kind: "policy", workloads: [web], locked: true, reason: "Sale" }, "");
    const why = await over.ask("ada", "why", { path });
    const refused = await over.ask("ada", "plan", { path, body: chosen });
    const undone = await world.does({ kind: "undo", revision: released.revision }, "");
    const history = await over.ask("ada", "workloadHistory", { path });

    assert.deepEqual(
      images.containers.map((each) => each.images.map(({ ref, running }) => [ref, running])),
      [
        [
          [`${image}:2`, false],
          [`${image}:1`, true],
        ],
      ],
    );
    assert.deepEqual(plan.changes[0]?.containers, [
      { container: "main", from: `${image}:1`, to: `${image}:2` },
    ]);
    assert.deepEqual([released.state, released.error], ["succeeded", ""]);
    assert.match(await repository.upstream("show", "-s", "--format=%B", released.revision), /Ship it/);
    assert.equal(again.changes[0]?.status, "skipped");
    assert.deepEqual(back.changes[0]?.containers, [
      { container: "main", from: `${image}:2`, to: `${image}:1` },
    ]);
    assert.deepEqual([locked.state, locked.error], ["succeeded", ""]);
    assert.equal(
      why.containers[0]?.reasons.some((reason) => reason.includes("Sale")),
      true,
    );
    assert.notEqual(refused.changes[0]?.status, "success");
    assert.deepEqual([undone.state, undone.error], ["succeeded", ""]);
    assert.match(await repository.upstream("show", "master:web.yaml"), new RegExp(`${image}:1`));
    assert.deepEqual(
      history.rows.slice(0, 3).map(({ kind, user, revision }) => [kind, user, revision]),
      [
        ["undo", "ada", undone.revision],
        ["policy", "ada", locked.revision],
        ["release", "ada", released.revision],
      ],
    );
    assert.equal(history.rows[2]?.message, "Ship it");
    assert.equal(history.rows.at(-1)?.kind, "commit");
  });

  it("takes over images that run, and refuses what else differs", async () => {
    const { over, path, repository } = world;
    await world.does({ kind: "policy", workloads: [web], locked: false, reason: "" }, "");
    await world.synced();
    const spec = { kind: "take-over", ids: [web] } as const;
    const containers = [{ name: "main", image: `${image}:2` }];
    await cluster.kube.patch(`${webPath}?fieldManager=kubectl-set`, {
      spec: { template: { spec: { containers } } },
    });
    const plan = await until("the change to be seen", async () => {
      const found = await over.call("ada", "plan", { path, body: { ...spec, ids: [web] } });
      return "answer" in found && found.answer;
    });

    const taken = await world.does({ ...spec, ids: [web] }, plan.digest);
    const inGit = await repository.upstream("show", "master:web.yaml");
    await world.synced();
    await cluster.kube.patch(`${webPath}?fieldManager=kubectl-edit`, { spec: { replicas: 4 } });
    const refusal = await until("the other change to be seen", async () => {
      const found = await over.refusal("ada", "plan", { path, body: { ...spec, ids: [web] } });
      return !found.includes("as in git") && found;
    });

    assert.deepEqual(plan.changes[0]?.containers, [
      { container: "main", from: `${image}:1`, to: `${image}:2` },
    ]);
    assert.deepEqual([taken.state, taken.error], ["succeeded", ""]);
    assert.match(inGit, new RegExp(`${image}:2`));
    assert.match(refusal, /^422 .*doesn't differ only in images/);
  });

  it("shows what a workload owns, what blocks a sync, and suspends", async () => {
    const { over, path, repository } = world;

    const tree = await over.ask("ada", "tree", { path });
    await over.ask("ada", "suspend", { path, body: { suspended: true, reason: "Sale" } });
    const suspended = await over.ask("ada", "blockers", { path });
    const refusal = await world.does({ kind: "sync" }, "");
    await over.ask("ada", "suspend", { path, body: { suspended: false } });
    await repository.push(
      { "bad.yaml": deployment("bad").replace("replicas: 1", "replicas: -1") },
      "Break it",
    );
    await world.does({ kind: "sync" }, "");
    const blockers = await until("the error", async () => {
      const { rows } = await over.ask("ada", "blockers", { path });
      return rows.some(({ what }) => what.includes("deployment/bad")) && rows;
    });

    assert.deepEqual(
      tree.roots.map(({ kind, namespace, name }) => [kind, namespace, name]),
      [["deployment", "default", "web"]],
    );
    assert.match(suspended.rows[0]?.why ?? "", /suspended by ada because: Sale/);
    assert.equal(refusal.state, "failed");
    assert.match(
      blockers.map(({ what, why }) => `${what}: ${why}`).join("\n"),
      /default:deployment\/bad: .*replicas/,
    );
  });
});

/** A console on an embedded database, and a fluxd that's connected to it and has synced. */
class World implements AsyncDisposable {
  readonly over: ConsoleOverHttp;
  readonly repository: TestRepository;
  readonly path: { readonly instance: string; readonly workload: string };
  readonly #stack: AsyncDisposableStack;
  #jobs = 0;

  private constructor(
    over: ConsoleOverHttp,
    repository: TestRepository,
    instance: string,
    stack: AsyncDisposableStack,
  ) {
    this.over = over;
    this.repository = repository;
    this.path = { instance, workload: web };
    this.#stack = stack;
  }

  static async start(kubeconfigPath: string): Promise<World> {
    await using stack = new AsyncDisposableStack();
    const database = stack.use(await Database.open({ kind: "memory" }, { log: silentLogger }));
    await migrate(database);
    const over = stack.use(await ConsoleOverHttp.start(database));
    await over.addPerson("ada", { role: "administrator" });
    const { instance, flags } = await over.ask("ada", "createInstance", { body: { name: "prod" } });
    const repository = stack.use(
      await TestRepository.create({ "web.yaml": deployment("web", `${image}:1`), "keys.yaml": secret }),
    );
    const images = new KnownImages({ [image]: { "1": "2026-01-01T00:00:00Z", "2": "2026-01-02T00:00:00Z" } });
    stack.use(await OwnFluxd.start({ repository, kubeconfigPath, flags, images }));
    await over.console.instanceWhen(instance.id, "the workloads", ({ workloads }) => workloads > 0);
    return new World(over, repository, instance.id, stack.move());
  }

  /** Requests a job; resolves when it has ended. */
  async does(spec: JobSpec, planDigest: string): Promise<Job> {
    this.#jobs += 1;
    const body = { spec, idempotencyKey: `request-${this.#jobs}`, planDigest };
    const { id } = await this.over.ask("ada", "createJob", { path: this.path, body });
    return until("the job to end", async () => {
      const job = await this.over.ask("ada", "job", { path: { job: id } });
      return job.endedAt !== null && job;
    });
  }

  /** Resolves when the newest commit is synced. */
  async synced(): Promise<void> {
    await this.does({ kind: "sync" }, "");
    await until(
      "the sync",
      async () =>
        (await this.repository.synced()) === (await this.repository.upstream("rev-parse", "master")),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
