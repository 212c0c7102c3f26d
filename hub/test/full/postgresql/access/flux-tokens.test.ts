import assert from "node:assert/strict";
import { it } from "node:test";
import { orAborted } from "@weir/base";
import type { ApiServer, Inspection } from "@weir/flux/api";
import { until } from "@weir/testing";
import type { Grant } from "../../../../src/access/actor.ts";
import { newSecret } from "../../../../src/access/secrets.ts";
import { AccessConsole } from "../../../support/access-console.ts";
import { describeOnServer, type ServerDatabases } from "../../../support/databases.ts";
import type { SimulatedDaemon, SimulatedOptions } from "../../../support/simulated-daemon.ts";
import type { TestBrowser } from "../../../support/test-browser.ts";
import { TestConsole } from "../../../support/test-console.ts";

const everything: Grant = { role: "administrator", instanceId: null, namespace: null };

const policy = (...ids: readonly string[]) => ({
  type: "policy",
  cause: { Message: "", User: "ada" },
  spec: Object.fromEntries(ids.map((id) => [id, { add: { locked: "true" } }])),
});

const release = (...workloads: readonly string[]) => ({
  type: "image",
  cause: { Message: "", User: "ada" },
  spec: { ServiceSpecs: workloads, ImageSpec: "<all latest>", Kind: "execute", Excludes: null, Force: false },
});

describeOnServer("fluxctl's token", (databases) => {
  it("permits what its scope and its maker's roles do, for its instance", async () => {
    await using world = await World.start(databases);
    const other = await world.flux.addInstance("other", newSecret("instance"));
    const viewer = await world.console.user("vera", { ...everything, role: "viewer" });
    const [read, write, ofAll, ofViewer, ofOther] = [
      await world.token(world.admin, { scopes: ["read"] }),
      await world.token(world.admin, { scopes: ["write"] }),
      await world.token(world.admin, { scopes: ["admin"], instanceId: null }),
      await world.token(viewer, { scopes: ["read"] }),
      await world.token(world.admin, { scopes: ["admin"], instanceId: other }),
    ];
    const update = policy("shop:deployment/cart");

    assert.deepEqual(
      await world.post(update, read, write, ofAll, ofViewer, ofOther),
      [403, 200, 403, 403, 422],
    );
    assert.deepEqual(
      await world.get("/v6/export", read, write, ofAll, ofViewer, "wct_x", ""),
      [200, 200, 403, 200, 401, 401],
    );
    assert.equal(world.updates(), 1);
    // They're written when the response was sent.
    const [failed, ...audited] = await until("the audit log", async () => {
      const all = await world.audited();
      return all.length === 4 && all;
    });
    assert.deepEqual(failed, ["ada (token fluxctl)", "failed", other, "shop", "POST /v9/update-manifests"]);
    assert.deepEqual(
      audited.map(([actor, outcome]) => [actor, outcome]),
      [
        ["vera (token fluxctl)", "refused"],
        ["ada (token fluxctl)", "done"],
        ["ada (token fluxctl)", "refused"],
      ],
    );
  });

  it("doesn't get beyond its namespace, whatever a request names", async () => {
    await using world = await World.start(databases);
    const shop = await world.token(world.admin, { scopes: ["write"], namespace: "shop" });
    const statuses = async (...updates: readonly object[]): Promise<readonly number[]> => {
      const all: number[] = [];
      for (const update of updates) {
        all.push(...(await world.post(update, shop)));
      }
      return all;
    };

    assert.deepEqual(
      await statuses(
        policy("shop:deployment/cart"),
        policy("shop:deployment/cart", "ops:deployment/grafana"),
        policy(),
        release("shop:deployment/cart"),
        release("<all>"),
        release("shop:deployment/cart", "ops:deployment/grafana"),
        release(),
        { type: "sync", cause: { Message: "", User: "" }, spec: {} },
      ),
      [200, 403, 403, 200, 403, 403, 403, 403],
    );
    assert.equal(world.updates(), 2);
    const reads = [
      "/v11/services?namespace=shop",
      "/v11/services?namespace=ops",
      "/v11/services?namespace=shop&services=ops:deployment/grafana",
      "/v6/services",
      "/v10/images?namespace=shop&service=ops:deployment/grafana",
      "/v10/images?service=shop:deployment/cart",
      "/v6/export",
      "/v11/version",
    ];
    const read: number[] = [];
    for (const path of reads) {
      read.push(...(await world.get(path, shop)));
    }
    assert.deepEqual(read, [200, 403, 403, 403, 403, 200, 403, 200]);
  });

  it("isn't the token of the daemon", async () => {
    await using world = await World.start(databases);

    const response = await world.fetch("GET", "/v11/services", world.daemonToken);

    assert.equal(response.status, 403);
    assert.match(await response.text(), /Make a token of your own/);
    assert.deepEqual(await world.post(policy("shop:deployment/cart"), world.daemonToken), [403]);
    assert.equal(world.updates(), 0);
  });

  it("changes nothing that needs a second person, and says where to request it", async () => {
    await using world = await World.start(databases);
    const token = await world.token(world.admin, { scopes: ["admin"] });
    const { instanceId } = world;
    await world.admin.ask("addApprovalRule", { body: { instanceId, namespace: "shop" } });

    const response = await world.fetch("POST", "/v9/update-manifests", token, policy("shop:deployment/cart"));

    const { type, help } = (await response.json()) as { readonly type: string; readonly help: string };
    assert.deepEqual([response.status, type], [403, "user"]);
    assert.ok(help.includes(`${world.console.url}/instances/${instanceId}`), help);
    assert.deepEqual(await world.post(policy("ops:deployment/grafana"), token), [200]);
    assert.deepEqual(await world.post(release("<all>"), token), [403]);
    assert.equal(world.updates(), 1);
  });

  it("leaves in the audit log what was changed, but not what people wrote", async () => {
    await using world = await World.start(databases);
    const token = await world.token(world.admin, { scopes: ["write"] });
    const image = "registry.example.com/cart:2";
    const containers = {
      type: "containers",
      cause: { Message: "s3cret", User: "ada" },
      spec: {
        Kind: "execute",
        ContainerSpecs: { "shop:deployment/cart": [{ Container: "cart", Current: "cart:1", Target: image }] },
      },
    };
    const locked = {
      type: "policy",
      cause: { Message: "s3cret", User: "ada" },
      spec: { "shop:deployment/cart": { add: { locked: "true", locked_msg: "s3cret" } } },
    };

    for (const update of [release("shop:deployment/cart"), containers, locked]) {
      assert.deepEqual(await world.post(update, token), [200]);
    }

    const details = await until("the audit log", async () => {
      const all = await world.details();
      return all.length === 3 && all;
    });
    assert.deepEqual(details.toReversed(), [
      {
        ...{ update: "release", kind: "execute", image: "<all latest>", force: false },
        workloads: ["shop:deployment/cart"],
      },
      {
        ...{ update: "release", kind: "execute", force: false },
        images: { "shop:deployment/cart": [{ Container: "cart", Current: "cart:1", Target: image }] },
      },
      {
        update: "policies",
        workloads: [{ id: "shop:deployment/cart", add: ["locked", "locked_msg"], remove: [] }],
      },
    ]);
  });

  it("leaves there what jobs and undoes would do, but not what people wrote", async () => {
    const requestJob: Inspection["requestJob"] = ({ id }) => Promise.resolve(id);
    const undo: Inspection["undo"] = () => Promise.resolve({ job: "j1", plan: undefined });
    await using world = await World.start(databases, { inspection: { requestJob, undo } });
    const token = await world.token(world.admin, { scopes: ["write"] });
    const cause = { Message: "s3cret", User: "ada" };
    const undoing = { cause, commit: "c0ffee1", resource: "shop:deployment/cart", allowDelete: true };
    const send = async (path: string, body: object): Promise<number> => {
      const response = await world.fetch("POST", path, token, body);
      await response.arrayBuffer();
      return response.status;
    };

    const statuses = [
      await send("/v12/jobs", { id: "job-0001", update: { ...release("shop:deployment/cart"), cause } }),
      await send("/v12/jobs", { id: "job-0002", undo: undoing, revision: "c1" }),
      await send("/v12/undo", { ...undoing, dryRun: true }),
      await send("/v12/undo", { ...undoing, resource: "s3cret" }),
    ];

    assert.deepEqual(statuses, [200, 200, 200, 400]);
    const entries = await until("the audit log", async () => {
      const all = (await world.console.audited()).filter(({ outcome }) => outcome !== "begun");
      return all.filter(({ action }) => action === "fluxApi").length === 4 && all;
    });
    const undone = { update: "undo", commit: "c0ffee1", resource: "shop:deployment/cart", allowDelete: true };
    assert.deepEqual(
      entries.slice(0, 4).map(({ outcome, subject, detail }) => [outcome, subject, detail]),
      [
        ["failed", "POST /v12/undo", {}],
        ["done", "POST /v12/undo", { ...undone, dryRun: true }],
        ["done", "POST /v12/jobs", { job: "job-0002", ...undone, dryRun: false }],
        [
          "done",
          "POST /v12/jobs",
          {
            ...{ job: "job-0001", update: "release", kind: "execute", image: "<all latest>", force: false },
            workloads: ["shop:deployment/cart"],
          },
        ],
      ],
    );
  });

  it("leaves an entry there before the daemon is asked", async () => {
    const asked = Promise.withResolvers<boolean>();
    const answer = Promise.withResolvers<string>();
    const updateManifests: ApiServer["updateManifests"] = () => {
      asked.resolve(true);
      return answer.promise;
    };
    await using world = await World.start(databases, { answers: { updateManifests } });
    const token = await world.token(world.admin, { scopes: ["write"] });

    const answered = world.post(policy("shop:deployment/cart"), token);
    await asked.promise;
    const during = await world.audited();
    const details = await world.details();
    answer.resolve("j1");

    assert.deepEqual(await answered, [200]);
    const entry = (outcome: string) => [
      ...["ada (token fluxctl)", outcome, world.instanceId, "shop", "POST /v9/update-manifests"],
    ];
    assert.deepEqual(during, [entry("begun")]);
    const after = await until("the end", async () => {
      const all = await world.audited();
      return all[0]?.[1] !== "begun" && all;
    });
    assert.deepEqual([after, await world.details()], [[entry("done")], details]);
  });

  it("changes nothing that can't be in the audit log", async () => {
    await using world = await World.start(databases);
    const token = await world.token(world.admin, { scopes: ["write"] });
    await world.console.database.connection.schema.dropTable("audit").cascade().execute();

    const response = await world.fetch("POST", "/v9/update-manifests", token, policy("shop:deployment/cart"));

    assert.equal(response.status, 503);
    assert.match(await response.text(), /audit log can't be written\.\\n\\nTry again/);
    assert.equal(world.updates(), 0);
    assert.deepEqual(await world.get("/v11/services", token), [200]);
  });

  it("leaves one entry of a new SSH key, whichever route asks for it", async () => {
    await using world = await World.start(databases);
    const token = await world.token(world.admin, { scopes: ["write"] });

    for (const [path, body] of [
      ["/v6/identity.pub", undefined],
      ["/v9/git-repo-config", true],
    ] as const) {
      await (await world.fetch("POST", path, token, body)).arrayBuffer();
    }

    const entries = await until("the audit log", async () => {
      const all = await world.audited();
      return all.every(([, outcome]) => outcome !== "begun") && all;
    });
    assert.deepEqual(
      entries.map(([, outcome, , , what]) => [outcome, what]),
      [
        ["done", "POST /v9/git-repo-config"],
        ["done", "POST /v6/identity.pub"],
      ],
    );
  });

  it("waits for news only as long as it's good", async () => {
    const asked = Promise.withResolvers<boolean>();
    const events: Inspection["events"] = (_asked, signal) => {
      asked.resolve(true);
      return orAborted(new Promise<never>(() => undefined), signal);
    };
    await using world = await World.start(databases, { inspection: { events } });
    const secret = await world.token(world.admin, { scopes: ["read"] });
    const [token] = (await world.admin.ask("apiTokens")).rows;
    const waiting = world.fetch("GET", "/v12/events?after=0&wait=60", secret);
    await asked.promise;

    await world.admin.ask("revokeApiToken", { params: { token: token?.id ?? "" } });

    assert.equal((await waiting).status, 401);
  });

  it("ends with its maker, and with the time", async () => {
    await using world = await World.start(databases);
    const bobId = await world.console.addUser("bob", [{ ...everything, role: "operator" }]);
    const bob = await world.console.logIn(bobId);
    const [plain, short] = [
      await world.token(bob, { scopes: ["write"] }),
      await world.token(bob, {
        scopes: ["write"],
        expiresAt: new Date(world.console.clock.now() + 1_000).toISOString(),
      }),
    ];
    const before = await world.get("/v11/ping", plain, short);
    await world.console.clock.advance(1_000);
    const expired = await world.get("/v11/ping", plain, short);
    await world.admin.ask("changeUser", { params: { user: bobId }, body: { disabled: true } });
    await world.admin.ask("changeUser", { params: { user: bobId }, body: { disabled: false } });

    assert.deepEqual([before, expired, await world.get("/v11/ping", plain)], [[204, 204], [204, 401], [401]]);
  });
});

/** An instance whose daemon is connected, and an administrator. */
class World implements AsyncDisposable {
  readonly console: AccessConsole;
  readonly flux: TestConsole;
  readonly admin: TestBrowser;
  readonly daemonToken: string;
  readonly #daemon: SimulatedDaemon;
  readonly instanceId: string;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(
    parts: Pick<World, "console" | "flux" | "admin" | "daemonToken" | "instanceId">,
    daemon: SimulatedDaemon,
    cleanup: AsyncDisposableStack,
  ) {
    this.console = parts.console;
    this.flux = parts.flux;
    this.admin = parts.admin;
    this.daemonToken = parts.daemonToken;
    this.instanceId = parts.instanceId;
    this.#daemon = daemon;
    this.#cleanup = cleanup;
  }

  static async start(
    databases: ServerDatabases,
    options: Pick<SimulatedOptions, "answers" | "inspection"> = {},
  ): Promise<World> {
    const cleanup = new AsyncDisposableStack();
    const url = await databases.create();
    const console = cleanup.use(await AccessConsole.start(cleanup.use(await databases.connect(url))));
    const authorize = console.access.flux.authorize.bind(console.access.flux);
    const flux = cleanup.use(
      await TestConsole.start(cleanup.use(await databases.connect(url)), { authorize }),
    );
    const daemonToken = newSecret("instance");
    const instanceId = await flux.addInstance("prod", daemonToken);
    const daemon = await flux.connect({ token: daemonToken, ...options });
    await flux.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);
    const admin = await console.user("ada", everything);
    return new World({ console, flux, admin, daemonToken, instanceId }, daemon, cleanup);
  }

  async token(maker: TestBrowser, wanted: Readonly<Record<string, unknown>>): Promise<string> {
    const body = { name: "fluxctl", instanceId: this.instanceId, ...wanted };
    return (await maker.ask("createApiToken", { body })).secret;
  }

  fetch(method: string, path: string, token: string, body?: object | boolean): Promise<Response> {
    const headers = { Authorization: `Scope-Probe token=${token}`, Accept: "application/json" };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(`${this.flux.url}${path}`, { method, headers, ...content });
  }

  get(path: string, ...tokens: readonly string[]): Promise<readonly number[]> {
    return this.#statuses(tokens, (token) => this.fetch("GET", path, token));
  }

  /** The statuses that an update gets with these tokens. */
  post(update: object, ...tokens: readonly string[]): Promise<readonly number[]> {
    return this.#statuses(tokens, (token) => this.fetch("POST", "/v9/update-manifests", token, update));
  }

  /** How many updates the daemon got. */
  updates(): number {
    return this.#daemon.calls.filter(([method]) => method === "updateManifests").length;
  }

  /** Who did what through Flux's API, the newest first. */
  async audited(): Promise<readonly (readonly (string | null)[])[]> {
    return (await this.console.audited())
      .filter(({ action }) => action === "fluxApi")
      .map((each) => [each.actorName, each.outcome, each.instanceId, each.namespace, each.subject]);
  }

  /** What the audit log says of what was done through Flux's API, the newest first. */
  async details(): Promise<readonly unknown[]> {
    return (await this.console.audited())
      .filter(({ action }) => action === "fluxApi")
      .map(({ detail }) => detail);
  }

  async #statuses(
    tokens: readonly string[],
    send: (token: string) => Promise<Response>,
  ): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (const token of tokens) {
      const response = await send(token);
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    return statuses;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}
