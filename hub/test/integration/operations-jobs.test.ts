import assert from "node:assert/strict";
import { it } from "node:test";
import { encodeUpdateSpec } from "@weir/flux";
import type { JobRequest } from "@weir/flux/api";
import { until } from "@weir/testing";
import { type RawBuilder, sql } from "kysely";
import type { Job, JobSpec } from "../../src/contract/jobs.ts";
import { createApprovalRule } from "../../src/store/approval-rules.ts";
import type { Database } from "../../src/store/database.ts";
import { decideJob } from "../../src/store/job-lifecycle.ts";
import { holdsLease } from "../../src/store/leases.ts";
import { setUserDisabled } from "../../src/store/users.ts";
import { ConsoleOverHttp } from "../support/console-over-http.ts";
import { describeOnBothDatabases } from "../support/databases.ts";
import { ReleaseDaemon } from "../support/release-daemon.ts";

const token = "t0ken";
const cart = "shop:deployment/cart";
const grafana = "ops:deployment/grafana";
const latest: JobSpec = { kind: "release", workloads: [cart], images: "latest", force: false, message: "" };

describeOnBothDatabases("jobs over REST", (databases) => {
  it("do exactly what their plan says, even if there's a newer image by then", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, daemon, path } = world;

    const plan = await over.ask("olga", "plan", { path, body: latest });
    const job = await world.request("olga", { ...latest, message: "Ship it" }, plan.digest);
    daemon.newest = "ghcr.io/example/app:3";
    const done = await world.ended(job.id);

    assert.deepEqual(plan.changes, [
      {
        ...{ workload: cart, status: "success", message: "" },
        containers: [{ container: "app", from: "ghcr.io/example/app:1", to: "ghcr.io/example/app:2" }],
      },
    ]);
    assert.deepEqual([done.state, done.revision, done.requestedBy], ["succeeded", "c0ffee1", "olga"]);
    assert.deepEqual([done.plan, done.summary], [plan, "Release cart"]);
    assert.equal(daemon.images.get(cart), "ghcr.io/example/app:2");
    assert.deepEqual(daemon.done[0]?.cause, { user: "olga", message: "Ship it" });
    assert.deepEqual(
      over.audited.map(({ action, subject, namespace }) => [action, subject, namespace]),
      [["createJob", "Release cart", "shop"]],
    );
  });

  it("aren't made of a plan that has changed", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, daemon, path } = world;
    const plan = await over.ask("olga", "plan", { path, body: latest });

    daemon.newest = "ghcr.io/example/app:3";

    const body = { spec: latest, idempotencyKey: "12345678", planDigest: plan.digest };
    assert.match(
      await over.refusal("olga", "createJob", { path, body }),
      /^409 What the job would do has changed/,
    );
    assert.deepEqual((await over.ask("olga", "jobs", {})).rows, []);
    assert.deepEqual(daemon.done, []);
  });

  it("are made once for a key, also when what it would do has changed meanwhile", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, daemon, path } = world;
    const body = { spec: latest, idempotencyKey: "12345678" };

    const first = await over.ask("olga", "createJob", { path, body });
    await world.ended(first.id);
    const again = await over.ask("olga", "createJob", { path, body });
    const other = { spec: { ...latest, force: true }, idempotencyKey: "12345678" };

    assert.equal(again.id, first.id);
    assert.match(await over.refusal("olga", "createJob", { path, body: other }), /^409 Another request/);
    assert.equal(daemon.done.length, 1);
  });

  it("wait for a second person, who approves exactly the plan", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, daemon } = world;
    await world.needApproval();
    await over.addPerson("rita", { role: "operator", instanceId: world.instanceId, namespace: "ops" });
    await over.addPerson("vera", { role: "viewer" });

    const job = await world.request("olga", latest);
    const approve = { decision: "approve", planDigest: job.plan?.digest ?? "" } as const;
    const decide = (who: string, body: object): Promise<string> =>
      over.refusal(who, "decideJob", { path: { job: job.id }, body: { ...approve, ...body } });

    assert.deepEqual([job.state, job.plan?.needsApproval], ["waiting-for-approval", true]);
    assert.match(await decide("olga", {}), /^422 You requested this job yourself/);
    assert.match(await decide("rita", {}), /^404 There's no such job/);
    assert.match(await decide("vera", {}), /^403 /);
    assert.match(await decide("otto", { planDigest: "other" }), /^409 The plan of the job isn't the one/);
    const approved = await over.ask("otto", "decideJob", { path: { job: job.id }, body: approve });
    assert.deepEqual([approved.state, approved.decidedBy], ["queued", "otto"]);
    assert.equal((await world.ended(job.id)).state, "succeeded");
    assert.match(await decide("otto", {}), /^409 The job doesn't wait for approval/);
    assert.equal(daemon.done.length, 1);
  });

  it("aren't approved when what they do isn't what was planned any more", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, daemon } = world;
    await world.needApproval();
    const job = await world.request("olga", latest);
    const body = { decision: "approve", planDigest: job.plan?.digest ?? "" } as const;

    daemon.newest = "ghcr.io/example/app:3";
    daemon.images.set(cart, "ghcr.io/example/app:1.1");

    assert.match(
      await over.refusal("otto", "decideJob", { path: { job: job.id }, body }),
      /^409 What the job would do/,
    );
    assert.equal((await over.ask("otto", "job", { path: { job: job.id } })).state, "waiting-for-approval");
    const rejected = await over.ask("otto", "decideJob", {
      path: { job: job.id },
      body: { ...body, decision: "reject", comment: "Not now" },
    });
    assert.deepEqual([rejected.state, rejected.decisionComment], ["rejected", "Not now"]);
    assert.deepEqual(daemon.done, []);
  });

  it("aren't sent if somebody pushed after the approval, and are bound to the head that was approved", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over } = world;
    await world.needApproval();
    let revision = "c1";
    const requested: JobRequest[] = [];
    const connect = () =>
      over.console.connect({
        token,
        answers: {
          ...world.daemon.answers,
          jobStatus: () => Promise.resolve({ state: "succeeded", error: "", result: { revision } }),
        },
        inspection: {
          diff: () => Promise.resolve({ revision, changes: [] }),
          requestJob: (request) => Promise.resolve(requested.push(request) > 0 ? request.id : ""),
        },
      });
    const approve = async (job: Job): Promise<void> => {
      const body = { decision: "approve", planDigest: job.plan?.digest ?? "" } as const;
      await over.ask("otto", "decideJob", { path: { job: job.id }, body });
    };
    let daemon = await connect();
    await over.console.instanceWhen(world.instanceId, "Weir's daemon", ({ kind }) => kind === "weir");

    const first = await world.request("olga", { kind: "sync" });
    await over.console.database.transaction(async (transaction) => {
      // Whoever claims jobs waits until this ends.
      await holdsLease(transaction, { instanceId: world.instanceId, leaseId: "" });
      const { digest = "" } = first.plan ?? {};
      const { userId } = over.person("otto");
      const by = { id: userId, name: "otto", tokenId: null };
      const decision = { id: first.id, approved: true, planDigest: digest, by, comment: "" };
      await decideJob(transaction, decision, Date.now());
      revision = "c2";
    });
    await over.console.wake(world.instanceId);
    const stale = await world.ended(first.id);
    await daemon[Symbol.asyncDispose]();
    daemon = await connect();
    await over.console.instanceWhen(world.instanceId, "the daemon", ({ connected }) => connected);
    const second = await over.ask("olga", "createJob", {
      path: world.path,
      body: { spec: { kind: "sync" }, idempotencyKey: "another-key" },
    });
    await approve(second);
    const done = await world.ended(second.id);

    assert.equal(stale.state, "failed");
    assert.match(stale.error, /^What it would do has changed since it was planned/);
    assert.equal(done.state, "succeeded");
    assert.deepEqual(
      requested.map(({ id, revision: head }) => [id, head]),
      [[second.id, "c2"]],
    );
  });

  it("say of a sync of Flux v1 that nobody knows what it does", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);

    const plan = await world.over.ask("olga", "plan", { path: world.path, body: { kind: "sync" } });

    assert.deepEqual([plan.isKnown, plan.changes], [false, []]);
  });

  it("aren't sent for people who may not do it any more", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over } = world;
    await world.needApproval();
    const { connection } = over.console.database;
    const approve = async (job: Job): Promise<void> => {
      const body = { decision: "approve", planDigest: job.plan?.digest ?? "" } as const;
      await over.ask("otto", "decideJob", { path: { job: job.id }, body });
    };

    await over.addPerson("oleg", { role: "operator" });
    const ofOleg = await world.request("oleg", latest);
    await setUserDisabled(connection, { id: over.person("oleg").userId, disabled: true }, Date.now());
    await approve(ofOleg);
    const refused = await world.ended(ofOleg.id);
    const ofOlga = await over.ask("olga", "createJob", {
      path: world.path,
      body: { spec: latest, idempotencyKey: "another-key" },
    });
    await setUserDisabled(connection, { id: over.person("otto").userId, disabled: true }, Date.now());
    await approve(ofOlga);
    const unapproved = await world.ended(ofOlga.id);

    assert.deepEqual(
      [refused.state, refused.error],
      ["failed", "oleg, who requested it, may not do this any more."],
    );
    assert.deepEqual(
      [unapproved.state, unapproved.error],
      ["failed", "otto, who approved it, may not do this any more."],
    );
    assert.deepEqual(world.daemon.done, []);
  });

  it("aren't sent if the token with which they were requested or approved doesn't permit them any more", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over } = world;
    await world.needApproval();
    const { connection } = database;
    for (const name of ["rita", "rob"]) {
      await over.addPerson(name, { role: "operator" });
    }
    for (const name of ["revoked", "expired", "narrowed", "good"]) {
      await over.addToken(name, "rita", { scopes: ["write"] });
    }
    await over.addToken("approver", "rob", { scopes: ["write"] });
    const change = (name: string, what: RawBuilder<unknown>): Promise<unknown> =>
      sql`update api_tokens set ${what} where name = ${name}`.execute(connection);
    const approve = async (job: Job, by: string): Promise<string> => {
      const body = { decision: "approve", planDigest: job.plan?.digest ?? "" } as const;
      await over.ask(by, "decideJob", { path: { job: job.id }, body });
      const { state, error } = await world.ended(job.id);
      return `${state} ${error}`;
    };
    const request = (who: string): Promise<Job> =>
      over.ask(who, "createJob", {
        path: world.path,
        body: { spec: latest, idempotencyKey: `key of ${who}` },
      });
    const requested = [await request("revoked"), await request("expired"), await request("narrowed")];
    const [ofOlga, good] = [await request("olga"), await request("good")];

    await change("revoked", sql`revoked_at = now()`);
    await change("expired", sql`expires_at = now()`);
    await change("narrowed", sql`scopes = '{read}'`);
    await change("approver", sql`revoked_at = now()`);
    const ends: string[] = [];
    for (const job of requested) {
      ends.push(await approve(job, "otto"));
    }
    ends.push(await approve(ofOlga, "approver"), await approve(good, "otto"));

    const failed = "failed The token of rita, with which it was requested, may not do this any more.";
    assert.deepEqual(ends, [
      ...[failed, failed, failed],
      "failed The token of rob, with which it was approved, may not do this any more.",
      "succeeded ",
    ]);
    assert.equal(world.daemon.done.length, 1);
  });

  it("are approved once, however many do it at a time", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, daemon } = world;
    await world.needApproval();
    await over.addPerson("oleg", { role: "operator" });
    const job = await world.request("olga", latest);
    const body = { decision: "approve", planDigest: job.plan?.digest ?? "" } as const;

    const answers = await Promise.all(
      ["otto", "oleg", "otto", "oleg"].map((who) =>
        over.call(who, "decideJob", { path: { job: job.id }, body }),
      ),
    );

    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
    await world.ended(job.id);
    assert.equal(daemon.done.length, 1);
  });

  it("can be cancelled until they're sent, and are when their instance is removed", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, path } = world;
    await world.needApproval();
    const first = await world.request("olga", latest);
    const second = await world.request("olga", { kind: "sync" });

    const cancelled = await over.ask("olga", "cancelJob", { path: { job: first.id } });
    assert.match(
      await over.refusal("olga", "cancelJob", { path: { job: first.id } }),
      /^409 The job can't be/,
    );
    await over.ask("ada", "removeInstance", { path });

    assert.equal(cancelled.state, "cancelled");
    assert.equal((await over.ask("otto", "job", { path: { job: second.id } })).state, "cancelled");
    const body = { decision: "approve", planDigest: second.plan?.digest ?? "" } as const;
    assert.match(await over.refusal("otto", "decideJob", { path: { job: second.id }, body }), /^409 /);
    const late = { spec: latest, idempotencyKey: "another-one" };
    assert.match(await over.refusal("otto", "createJob", { path, body: late }), /^(404|503) /);
  });

  it("change policies, and say what that changes", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, daemon, path } = world;
    daemon.policies.set(cart, { automated: "true", "tag.app": "glob:*" });
    const spec = {
      ...{ kind: "policy", workloads: [cart], automated: false, locked: true },
      ...{ tags: { app: "semver:^1" }, reason: "" },
    } as const satisfies JobSpec & { kind: "policy" };

    const plan = await over.ask("olga", "plan", { path, body: { ...spec, workloads: [cart] } });
    const job = await world.request("olga", { ...spec, workloads: [cart], reason: "Migration" }, plan.digest);
    await world.ended(job.id);

    assert.deepEqual(plan.changes, [
      {
        ...{ workload: cart, status: "success", containers: [] },
        message: "locked: none → true; tag.app: glob:* → semver:^1; automated: true → none",
      },
    ]);
    assert.equal(job.summary, "Stop automating, lock, change the tag filters of cart");
    const [done] = daemon.done;
    const add = { locked: "true", locked_user: "olga", locked_msg: "Migration", "tag.app": "semver:^1" };
    assert.deepEqual(done && encodeUpdateSpec(done), {
      type: "policy",
      cause: { Message: "Migration", User: "olga" },
      spec: { [cart]: { add, remove: { automated: "true" } } },
    });
  });

  const wrong: readonly (readonly [string, object, RegExp])[] = [
    [
      "all workloads at once",
      { kind: "release", workloads: ["<all>"], images: "latest" },
      /^400 "<all>" isn't/,
    ],
    [
      "images of other workloads",
      { kind: "release", workloads: [cart], images: [{ workload: grafana, container: "app", image: "a:1" }] },
      /^400 There's an image for ops:deployment\/grafana/,
    ],
    [
      "images of containers that aren't there",
      { kind: "release", workloads: [cart], images: [{ workload: cart, container: "no", image: "a:1" }] },
      /^422 .*shop:deployment\/cart has no container no/,
    ],
    [
      "what's no image",
      { kind: "release", workloads: [cart], images: [{ workload: cart, container: "app", image: "" }] },
      /^400 "" isn't an image/,
    ],
    ["no policy", { kind: "policy", workloads: [cart] }, /^400 No policy is changed/],
    [
      "a wrong filter",
      { kind: "policy", workloads: [cart], tags: { app: "semver:>>" } },
      /^400 "semver:>>" isn't/,
    ],
    [
      "a wrong container",
      { kind: "policy", workloads: [cart], tags: { no: "*" } },
      /^422 .*has no container no/,
    ],
    [
      "no such workload",
      { kind: "policy", workloads: ["shop:deployment/x"], locked: true },
      /^422 .*no such workload/,
    ],
    ["an undo of Flux v1", { kind: "undo", revision: "c0ffee1" }, /^422 Undoing a commit needs Weir's fluxd/],
    [
      "a take-over of Flux v1",
      { kind: "take-over", ids: [cart] },
      /^422 Taking over into git needs Weir's fluxd/,
    ],
  ];
  it("are found by any words of theirs, and sorted", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, path } = world;
    const policy: JobSpec = { kind: "policy", workloads: [cart], locked: true, reason: "Sale" };
    const ids: string[] = [];
    for (const [index, spec] of [latest, policy].entries()) {
      const body = { spec, idempotencyKey: `1234567${index}` };
      ids.push((await over.ask("olga", "createJob", { path, body })).id);
    }
    await Promise.all(ids.map((id) => world.ended(id)));
    const found = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> =>
      (await over.ask("olga", "jobs", { query })).rows.map(({ kind }) => kind);

    assert.deepEqual(await found({}), ["policy", "release"]);
    assert.deepEqual(await found({ sort: "requestedAt" }), ["release", "policy"]);
    assert.deepEqual(await found({ sort: "-kind" }), ["release", "policy"]);
    assert.deepEqual(await found({ q: "release OLGA" }), ["release"]);
    assert.deepEqual(await found({ q: "cart", sort: "kind" }), ["policy", "release"]);
    assert.deepEqual(await found({ q: "%" }), []);
  });

  it("are refused for what nobody can mean, or no daemon can do", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, path, daemon } = world;

    for (const [what, spec, message] of wrong) {
      const body = { spec: spec as JobSpec, idempotencyKey: "12345678" };
      assert.match(await over.refusal("olga", "createJob", { path, body }), message, what);
    }
    assert.deepEqual(daemon.done, []);
  });

  it("reach no namespace in which somebody has no role", async () => {
    await using database = await databases.open();
    await using world = await World.start(database);
    const { over, path, instanceId } = world;
    await over.addPerson("rita", { role: "operator", instanceId, namespace: "shop" });
    const specs: readonly JobSpec[] = [
      { ...latest, workloads: [cart, grafana] },
      { kind: "policy", workloads: [grafana], locked: true, reason: "" },
      { kind: "sync" },
      { kind: "take-over", ids: [cart, "<cluster>:namespace/shop"] },
    ];

    for (const spec of specs) {
      assert.match(await over.refusal("rita", "plan", { path, body: spec }), /^403 /, JSON.stringify(spec));
      const body = { spec, idempotencyKey: "12345678" };
      assert.match(await over.refusal("rita", "createJob", { path, body }), /^403 /, JSON.stringify(spec));
    }
    const both = await world.request("olga", { ...latest, workloads: [cart, grafana] });
    const sync = await world.request("olga", { kind: "sync" });
    const own = await world.request("rita", { kind: "policy", workloads: [cart], locked: true, reason: "" });
    assert.deepEqual(
      (await over.ask("rita", "jobs", {})).rows.map(({ id }) => id),
      [own.id],
    );
    for (const id of [both.id, sync.id]) {
      assert.match(await over.refusal("rita", "cancelJob", { path: { job: id } }), /^404 /);
    }
    const found = await over.ask("olga", "jobs", { query: { workload: grafana } });
    assert.deepEqual(
      found.rows.map(({ id }) => id),
      [both.id],
    );
  });
});

/** A console with an instance whose daemon is connected, an administrator, and two operators. */
class World implements AsyncDisposable {
  readonly over: ConsoleOverHttp;
  readonly instanceId: string;
  readonly path: Readonly<Record<string, string>>;
  readonly daemon = new ReleaseDaemon([cart, grafana]);

  private constructor(over: ConsoleOverHttp, instanceId: string) {
    this.over = over;
    this.instanceId = instanceId;
    this.path = { instance: instanceId };
  }

  static async start(database: Database): Promise<World> {
    const over = await ConsoleOverHttp.start(database);
    const world = new World(over, await over.console.addInstance("prod", token));
    await over.addPerson("ada", { role: "administrator" });
    await over.addPerson("olga", { role: "operator" });
    await over.addPerson("otto", { role: "operator" });
    await over.console.connect({ token, answers: world.daemon.answers });
    await over.console.instanceWhen(world.instanceId, "the daemon", ({ connected }) => connected);
    return world;
  }

  async needApproval(): Promise<void> {
    const rule = { instanceId: this.instanceId, namespace: "shop", createdBy: null };
    await createApprovalRule(this.over.console.database.connection, rule, Date.now());
  }

  request(who: string, spec: JobSpec, planDigest = ""): Promise<Job> {
    const body = { spec, idempotencyKey: `key of ${JSON.stringify(spec)}`.slice(0, 100), planDigest };
    return this.over.ask(who, "createJob", { path: this.path, body });
  }

  ended(job: string): Promise<Job> {
    return until("the job to end", async () => {
      const found = await this.over.ask("olga", "job", { path: { job } });
      return found.endedAt !== null && found;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.over[Symbol.asyncDispose]();
  }
}
