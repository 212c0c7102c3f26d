import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnServer, type ServerDatabases } from "../../support/databases.ts";
import { SimulatedDaemon, type SimulatedOptions } from "../../support/simulated-daemon.ts";
import { TestConsole } from "../../support/test-console.ts";

const token = "t0ken";

describeOnServer("Flux's API of an instance", (databases) => {
  it("takes the token as fluxctl sends it, and as a bearer, and no other", async () => {
    await using world = await World.start(databases);

    const statuses = [
      await world.status("GET", "/v11/ping", { Authorization: `Scope-Probe token=${token}` }),
      await world.status("GET", "/v11/ping", { Authorization: `Bearer ${token}` }),
      await world.status("GET", "/v11/ping", { Authorization: "Bearer wrong" }),
      await world.status("GET", "/v11/ping", { Authorization: token }),
      await world.status("GET", "/v11/ping", {}),
    ];

    assert.deepEqual(statuses, [204, 204, 401, 401, 401]);
  });

  it("lets those who may only read change nothing", async () => {
    await using world = await World.start(databases, { inspection: {} });
    const viewer = { Authorization: `Bearer ${token}!viewer`, Accept: "application/json" };

    const answers = [
      await world.status("GET", "/v6/services", viewer),
      await world.status("POST", "/v9/git-repo-config", viewer, "false"),
      await world.status("POST", "/v9/git-repo-config", viewer, "true"),
      await world.status("POST", "/v9/update-manifests", viewer, "{}"),
      await world.status("POST", "/v6/identity.pub", viewer),
      await world.status("POST", "/v12/check", viewer),
      await world.status("POST", "/v12/suspend", viewer, "{}"),
    ];

    assert.deepEqual(answers, [200, 200, 403, 403, 403, 200, 403]);
    assert.deepEqual(
      world.daemon.calls.filter(([method, ...args]) => method === "updateManifests" || args[0] === true),
      [],
    );
  });

  it("has the routes and errors of a daemon, and Weir's routes only for Weir's", async () => {
    await using flux = await World.start(databases);
    await using weir = await World.start(databases, {
      inspection: { treeChanged: () => Promise.resolve(false) },
    });
    const own = { Authorization: `Bearer ${token}`, Accept: "application/json" };

    const statuses = [
      await flux.status("GET", "/v3/services", own),
      await flux.status("GET", "/v6/nothing", own),
      await flux.status("GET", "/v6/jobs", own),
      await flux.status("GET", "/v12/suspensions", own),
      await weir.status("GET", "/v12/suspensions", own),
      await weir.status("GET", "/v12/tree?after=2", own),
      await weir.status("GET", "/v12/export", own),
      await weir.status("GET", "/v12/events?after=x", own),
    ];

    assert.deepEqual(statuses, [410, 404, 404, 404, 200, 204, 404, 422]);
  });

  it("says that it can't reach a daemon in Flux's words", async () => {
    await using world = await World.start(databases);
    await world.daemon[Symbol.asyncDispose]();
    await world.console.instanceWhen(world.instanceId, "the end", ({ connected }) => !connected);

    const response = await fetch(`${world.console.url}/v6/services`, {
      headers: { Authorization: `Bearer ${token}`, Accept: "application/json" },
    });

    assert.equal(response.status, 422);
    assert.match(((await response.json()) as { help: string }).help, /^Cannot contact Flux daemon\n/);
  });
});

/** A console with one instance whose daemon is connected. */
class World implements AsyncDisposable {
  readonly console: TestConsole;
  readonly instanceId: string;
  readonly daemon: SimulatedDaemon;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(
    { console, instanceId, daemon }: Pick<World, "console" | "instanceId" | "daemon">,
    cleanup: AsyncDisposableStack,
  ) {
    this.console = console;
    this.instanceId = instanceId;
    this.daemon = daemon;
    this.#cleanup = cleanup;
  }

  static async start(databases: ServerDatabases, options: Partial<SimulatedOptions> = {}): Promise<World> {
    const cleanup = new AsyncDisposableStack();
    const console = cleanup.use(await TestConsole.start(cleanup.use(await databases.open())));
    const instanceId = await console.addInstance("prod", token);
    const daemon = cleanup.use(await SimulatedDaemon.connect(console.url, { token, ...options }));
    await console.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);
    return new World({ console, instanceId, daemon }, cleanup);
  }

  async status(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<number> {
    const content = body === undefined ? {} : { body };
    const response = await fetch(`${this.console.url}${path}`, { method, headers, ...content });
    await response.arrayBuffer();
    return response.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}
