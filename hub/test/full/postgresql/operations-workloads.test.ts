import assert from "node:assert/strict";
import { it } from "node:test";
import { makeResourceId, parseImageRef, type ResourcePreview, unknownImageInfo } from "@weir/flux";
import type { ApiServer, GitConfigReport, Inspection } from "@weir/flux/api";
import type { Database } from "../../../src/store/database.ts";
import { ConsoleOverHttp } from "../../support/console-over-http.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { ReleaseDaemon } from "../../support/release-daemon.ts";

const token = "t0ken";
const [cart, grafana] = ["shop:deployment/cart", "ops:deployment/grafana"];
const preview = { apiVersion: "apps/v1", source: "a.yaml", action: "change", error: "", reason: "" } as const;
const container = (image: string) => ({
  spec: { template: { spec: { containers: [{ name: "app", image }] } } },
});

function changed(namespace: string, name: string): ResourcePreview {
  const id = makeResourceId(namespace, "deployment", name);
  const [before, after] = [container("ghcr.io/example/app:1"), container("ghcr.io/example/app:0")];
  return { ...preview, id, before, after };
}

describeOnBothDatabases("what daemons say of their clusters, over REST", (databases) => {
  it("is limited to the namespaces that somebody may see", async () => {
    await using database = await databases.open();
    const extra = { ...changed("ops", "old"), action: "delete", after: null } as const;
    const missing = { ...changed("shop", "new"), action: "create", before: null } as const;
    const namespaceOfShop = {
      ...changed("<cluster>", "shop"),
      id: makeResourceId("<cluster>", "namespace", "shop"),
    };
    const changes = [changed("shop", "cart"), missing, extra, namespaceOfShop];
    await using over = await start(database, {
      inspection: {
        diff: ({ ref }) => Promise.resolve({ revision: ref, changes }),
        status: () => Promise.resolve(failingStatus),
      },
    });
    const { path } = over;

    const all = await over.ask("ada", "drift", { path });
    const some = await over.ask("rita", "drift", { path });
    const blockers = await over.ask("ada", "blockers", { path });
    const someBlockers = await over.ask("rita", "blockers", { path });

    assert.deepEqual(
      [all.revision, all.rows.map(({ id, kind }) => `${kind} ${id}`)],
      [
        "c0ffee1",
        [
          "changed shop:deployment/cart",
          "missing shop:deployment/new",
          "extra ops:deployment/old",
          "changed <cluster>:namespace/shop",
        ],
      ],
    );
    assert.deepEqual(
      some.rows.map(({ id }) => id),
      ["shop:deployment/cart", "shop:deployment/new"],
    );
    assert.match(
      some.rows[0]?.diff ?? "",
      /^--- live\/shop:deployment\/cart\n\+\+\+ git.*\n.*\n(.*\n)*-.*app:1\n\+.*app:0\n/,
    );
    assert.deepEqual(
      blockers.rows.map(({ what }) => what),
      ["The git repository", "Suspension", "The last sync", "shop:deployment/cart", "ops:deployment/grafana"],
    );
    assert.deepEqual(
      someBlockers.rows.map(({ what }) => what),
      ["The git repository", "Suspension", "shop:deployment/cart"],
    );
    assert.equal(JSON.stringify(blockers).includes("s3cret"), false);
  });

  it("is what even a daemon of Flux v1 knows", async () => {
    await using database = await databases.open();
    const daemon = new ReleaseDaemon([cart, grafana]);
    const info = (image: string) => unknownImageInfo(parseImageRef(image));
    const app = ["3-rc", "2", "1"].map((tag) =>
      unknownImageInfo(parseImageRef(`ghcr.io/example/app:${tag}`)),
    );
    const report = {
      ...{ name: "app", available: app, availableError: "", availableCount: 3, newAvailableCount: 2 },
      ...{ current: info("ghcr.io/example/app:1"), latestFiltered: info("ghcr.io/example/app:2") },
      ...{ filteredCount: 2, newFilteredCount: 1 },
    };
    daemon.policies.set(cart, {
      automated: "true",
      locked: "true",
      locked_msg: "sale",
      "tag.app": "regexp:^[0-9]$",
    });
    await using over = await start(database, {
      answers: {
        ...daemon.answers,
        listImages: () =>
          Promise.resolve([{ id: makeResourceId("shop", "deployment", "cart"), containers: [report] }]),
      },
    });
    const path = { ...over.path, workload: cart };
    await over.workloadsKnown();

    const images = await over.ask("rita", "workloadImages", { path });
    const why = await over.ask("rita", "why", { path });
    const [drift, tree, comparison] = [
      await over.refusal("ada", "drift", { path: over.path }),
      await over.refusal("rita", "tree", { path }),
      await over.refusal("rita", "comparison", { path }),
    ];

    assert.deepEqual(
      images.containers.map(({ container: name, filter, total, images: found }) => [
        ...[name, filter, total],
        ...found.map(({ ref, running, allowed }) => [ref.slice("ghcr.io/example/".length), running, allowed]),
      ]),
      [
        [
          "app",
          "regexp:^[0-9]$",
          3,
          ["app:3-rc", false, false],
          ["app:2", false, true],
          ["app:1", true, true],
        ],
      ],
    );
    assert.deepEqual(why.containers, [
      {
        container: "app",
        verdict: "Stays, although there's ghcr.io/example/app:2: it's locked",
        reasons: [
          "It's automated.",
          "It's locked: sale",
          "The tag filter regexp:^[0-9]$ allows 2 of 3 images.",
        ],
      },
    ]);
    for (const refusal of [drift, tree, comparison]) {
      assert.match(refusal, /^422 .* needs Weir's fluxd; the daemon of this instance is one of Flux v1/);
    }
    assert.deepEqual((await over.ask("ada", "blockers", { path: over.path })).rows, []);
    const foreign = { path: { ...over.path, workload: grafana } };
    assert.match(await over.refusal("rita", "workloadImages", foreign), /^404 There's no workload/);
    assert.match(await over.refusal("rita", "comparison", foreign), /^404 There's no workload/);
    const secret = { path: { ...over.path, workload: "shop:secret/cart" } };
    assert.match(await over.refusal("ada", "comparison", secret), /^404 There's no workload/);
  });

  it("is a plain problem when there's no answer, or one that nobody can read", async () => {
    await using database = await databases.open();
    await using over = await start(database, {
      answers: { gitRepoConfig: () => Promise.resolve("nonsense" as never as GitConfigReport) },
      inspection: { status: () => Promise.reject(new Error("the cache isn't warm")) },
    });
    const silent = await over.console.addInstance("silent", "other");

    assert.match(
      await over.refusal("ada", "drift", { path: over.path }),
      /^422 The daemon refused: the cache isn't warm\.$/,
    );
    assert.match(
      await over.refusal("ada", "drift", { path: { instance: silent } }),
      /^503 The daemon can't be reached/,
    );
  });

  it("can be taken over into git, where only images differ", async () => {
    await using database = await databases.open();
    const daemon = new ReleaseDaemon([cart, grafana]);
    const scaled = {
      ...changed("ops", "grafana"),
      before: { spec: { replicas: 3 } },
      after: { spec: { replicas: 1 } },
    };
    const back = {
      ...changed("shop", "cart"),
      before: container("ghcr.io/example/app:9"),
      after: container("ghcr.io/example/app:1"),
    };
    await using over = await start(database, {
      answers: daemon.answers,
      inspection: {
        diff: ({ ref }) => Promise.resolve({ revision: ref, changes: [back, scaled] }),
        status: () => Promise.resolve({ ...failingStatus, suspensions: [] }),
      },
    });
    const { path } = over;

    const plan = await over.ask("ada", "plan", { path, body: { kind: "take-over", ids: [cart] } });
    const other = await over.refusal("ada", "plan", { path, body: { kind: "take-over", ids: [grafana] } });

    assert.deepEqual(plan.changes[0]?.containers, [
      { container: "app", from: "ghcr.io/example/app:1", to: "ghcr.io/example/app:9" },
    ]);
    assert.match(
      other,
      /^422 ops:deployment\/grafana can't be taken over into git: it doesn't differ only in images/,
    );
  });

  it("can be undone only by whoever may change all that the commit did", async () => {
    await using database = await databases.open();
    const plan = {
      ...{
        revision: "c0ffee1c0ffee1",
        head: "d",
        author: "Ann",
        message: "Release",
        locks: [],
        leftAlone: [],
      },
      resources: [cart, grafana].map((id) => ({
        id: id as ReturnType<typeof makeResourceId>,
        what: "changed" as const,
      })),
      files: [{ path: "a.yaml", diff: "+a" }],
    };
    const asked: boolean[] = [];
    await using over = await start(database, {
      answers: {
        jobStatus: () => Promise.resolve({ state: "succeeded", error: "", result: { revision: "d" } }),
      },
      inspection: {
        undo: ({ dryRun }) => {
          asked.push(dryRun);
          return Promise.resolve(dryRun ? { job: "", plan } : { job: "job-9", plan: undefined });
        },
      },
    });
    const { path } = over;
    const body = { kind: "undo", revision: "c0ffee1" } as const;

    assert.match(
      await over.refusal("rita", "plan", { path, body }),
      /^403 .*every namespace that is concerned/,
    );
    assert.match(
      await over.refusal("rita", "createJob", { path, body: { spec: body, idempotencyKey: "12345678" } }),
      /^403 /,
    );
    assert.deepEqual(asked, [true, true]);
    const shown = await over.ask("ada", "plan", { path, body });
    assert.deepEqual(
      shown.changes.map(({ workload, message }) => [workload, message]),
      [
        [cart, "Is changed in git."],
        [grafana, "Is changed in git."],
      ],
    );
    const job = await over.ask("ada", "createJob", {
      path,
      body: { spec: body, idempotencyKey: "12345678", planDigest: shown.digest },
    });
    assert.equal(job.summary, "Undo c0ffee1");
  });
});

const failingStatus: Awaited<ReturnType<Inspection["status"]>> = {
  git: { url: "", branch: "", status: "unreachable", errors: "cloning https://me:s3cret@git.test: no" },
  ...{ head: "c0ffee2", synced: "c0ffee1", behind: 1, automates: true, findings: [], unknown: [] },
  lastSync: {
    ...{ revision: "c0ffee1", endedAt: undefined, failure: "grafana is wrong", isRunning: false },
    errors: [
      { id: makeResourceId("shop", "deployment", "cart"), source: "a.yaml", error: "no such field" },
      { id: makeResourceId("ops", "deployment", "grafana"), source: "b.yaml", error: "no such field" },
    ],
    waitingFor: [],
  },
  suspensions: [{ what: "sync", reason: "sale", user: "ann", since: new Date(0) }],
};

interface Connected {
  readonly answers?: Partial<ApiServer>;
  readonly inspection?: Partial<Inspection>;
}

/** A console with an instance whose daemon is connected, an administrator, and an operator of the namespace shop. */
async function start(database: Database, daemon: Connected) {
  const over = await ConsoleOverHttp.start(database);
  const { console } = over;
  const instance = await console.addInstance("prod", token);
  await over.addPerson("ada", { role: "administrator" });
  await over.addPerson("rita", { role: "operator", instanceId: instance, namespace: "shop" });
  await console.connect({ token, ...daemon });
  await console.instanceWhen(instance, "the daemon to connect", ({ connected }) => connected);
  const workloadsKnown = async (): Promise<void> => {
    await console.instanceWhen(instance, "the workloads", ({ workloads }) => workloads > 0);
  };
  return Object.assign(over, { path: { instance }, workloadsKnown });
}
