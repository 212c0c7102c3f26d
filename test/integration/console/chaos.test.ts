import assert from "node:assert/strict";
import { it } from "node:test";
import { silentLogger, systemClock } from "@weir/base";
import { Dice, freePorts, TempFolder, until } from "@weir/testing";
import { Database } from "../../../src/console/store/database.ts";
import { createInstance } from "../../../src/console/store/instances.ts";
import { createJob, type NewJob } from "../../../src/console/store/jobs.ts";
import { hashOfSecret } from "../../../src/console/store/secret-hash.ts";
import { parseResourceId } from "../../../src/resource/id.ts";
import { encodeUpdateSpec } from "../../../src/update/wire.ts";
import { Balancer } from "../../support/console/balancer.ts";
import { ConsoleProcess } from "../../support/console/console-process.ts";
import { describeOnServer, type ServerDatabases } from "../../support/console/databases.ts";
import { RestlessDaemon } from "../../support/console/restless-daemon.ts";

const daemonCount = 6;
const jobsPerDaemon = 5;
const blows = 10;
const workload = parseResourceId("shop:deployment/web");

describeOnServer("consoles whose database, processes, and daemons come and go", (databases) => {
  for (const seed of [1, 2]) {
    it(`lose no event that they took, and have no job done twice (seed ${seed})`, async () => {
      const dice = new Dice(seed);
      await using world = await World.start(databases, dice);

      for (let count = 0; count < blows; count += 1) {
        await world.addJobs(Math.ceil((daemonCount * jobsPerDaemon) / blows));
        await world.strike(dice.of("blow", count));
        await world.untilEventsAreTaken();
      }
      const { jobs, events, daemons } = await world.calmDown();

      for (const { name, daemon } of daemons) {
        const stored = events.filter(({ instance }) => instance === name).map(({ message }) => message);
        assert.deepEqual(stored.toSorted(), daemon.accepted.toSorted(), `events of ${name}`);
        assert.deepEqual(daemon.done.toSorted(), [...new Set(daemon.done)].toSorted(), `jobs of ${name}`);
      }
      assert.equal(jobs.length, daemonCount * jobsPerDaemon);
      const done = new Set(daemons.flatMap(({ daemon }) => daemon.done));
      assert.deepEqual(
        jobs.map(({ message, state }) => [message, state]),
        jobs.map(({ message }) => [message, done.has(message) ? "succeeded" : "lost"]),
      );
    });
  }
});

interface Outcome {
  readonly jobs: readonly { readonly message: string; readonly state: string }[];
  readonly events: readonly { readonly instance: string; readonly message: string }[];
  readonly daemons: readonly Member[];
}

interface Member {
  readonly name: string;
  readonly instanceId: string;
  readonly daemon: RestlessDaemon;
}

/** Three consoles on one database behind a load balancer, and daemons that connect to them. */
class World implements AsyncDisposable {
  readonly #databases: ServerDatabases;
  readonly #url: string;
  readonly #database: Database;
  readonly #folder = new TempFolder();
  readonly #ports: readonly number[];
  readonly #consoles = new Map<number, ConsoleProcess>();
  readonly #members: Member[] = [];
  readonly #balancer: Balancer;
  readonly #calm = new AbortController();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];
  #jobs = 0;

  private constructor(
    databases: ServerDatabases,
    { url, database }: { readonly url: string; readonly database: Database },
    { ports, balancer }: { readonly ports: readonly number[]; readonly balancer: Balancer },
  ) {
    this.#databases = databases;
    this.#url = url;
    this.#database = database;
    this.#ports = ports;
    this.#balancer = balancer;
  }

  static async start(databases: ServerDatabases, dice: Dice): Promise<World> {
    const url = await databases.create();
    // What's committed must survive a crash of the server, unlike in other tests.
    await databases.server.administer(`alter database "${databaseIn(url)}" set synchronous_commit = on`);
    const database = await Database.open({ kind: "server", url }, { log: silentLogger, connections: 3 });
    const { client, peer, api } = await freePorts();
    const ports = [client, peer, api];
    const world = new World(databases, { url, database }, { ports, balancer: await Balancer.start(ports) });
    try {
      await Promise.all(ports.map((port) => world.#startConsole(port)));
      for (let index = 0; index < daemonCount; index += 1) {
        await world.#addDaemon(`cluster-${index}`, dice.of("daemon", index));
      }
      return world;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Requests jobs, each with a message of its own. */
  async addJobs(count: number): Promise<void> {
    for (let added = 0; added < count && this.#jobs < daemonCount * jobsPerDaemon; added += 1) {
      const member = this.#members[this.#jobs % this.#members.length];
      this.#jobs += 1;
      const job = newJob(member?.instanceId ?? "", `job ${this.#jobs}`);
      await until("the job to be stored", async () => {
        await createJob(this.#database.connection, job, Date.now());
        return true;
      });
    }
  }

  /** Ends something without warning, and starts it again. */
  async strike(dice: Dice): Promise<void> {
    const { server } = this.#databases;
    if (dice.chance(0.3)) {
      await (dice.chance(0.5) ? server.stop() : server.kill());
      await server.start();
    } else {
      const port = dice.pick(this.#ports);
      await this.#consoles.get(port)?.kill();
      await this.#startConsole(port);
    }
  }

  /** Resolves when each daemon could tell of something new. */
  async untilEventsAreTaken(): Promise<void> {
    const before = this.#members.map(({ daemon }) => daemon.accepted.length);
    await until("new events of all daemons", () =>
      this.#members.every(({ daemon }, index) => daemon.accepted.length > (before[index] ?? 0)),
    );
  }

  /** Lets the daemons stay connected, and resolves to what is stored when all jobs are settled. */
  async calmDown(): Promise<Outcome> {
    this.#calm.abort();
    const jobs = await until(
      "all jobs to be settled",
      async () => {
        const done = new Set(this.#members.flatMap(({ daemon }) => daemon.done));
        const found = await this.#storedJobs();
        const isSettled = found.every(
          ({ state, message }) => state === "succeeded" || (state === "lost" && !done.has(message)),
        );
        return isSettled && found;
      },
      120,
    );
    this.#stop.abort();
    await Promise.all(this.#running);
    const events = await this.#database.connection
      .selectFrom("events")
      .innerJoin("instances", "instances.id", "events.instanceId")
      .where("events.type", "in", ["lock", "commit"])
      .select(["instances.name as instance", "events.message"])
      .execute();
    return { jobs, events, daemons: this.#members };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#calm.abort();
    this.#stop.abort();
    await Promise.all(this.#running);
    await Promise.all([...this.#consoles.values()].map((console) => console[Symbol.asyncDispose]()));
    await this.#balancer[Symbol.asyncDispose]();
    await this.#database[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }

  async #startConsole(port: number): Promise<void> {
    const log = `${this.#folder.path}/${port}.log`;
    this.#consoles.set(port, await ConsoleProcess.start({ databaseUrl: this.#url, port, log }));
  }

  async #addDaemon(name: string, dice: Dice): Promise<void> {
    const token = `token of ${name}`;
    const instance = { name, description: "", tokenHash: hashOfSecret(token) };
    const instanceId = await createInstance(this.#database.connection, instance, systemClock.now());
    const daemon = new RestlessDaemon({ consoleUrl: `${this.#balancer.url}/api/flux`, token, dice });
    this.#members.push({ name, instanceId, daemon });
    this.#running.push(daemon.run(this.#calm.signal, this.#stop.signal));
  }

  async #storedJobs(): Promise<Outcome["jobs"]> {
    const rows = await this.#database.connection
      .selectFrom("jobs")
      .select(["summary", "state"])
      .orderBy("summary")
      .execute();
    return rows.map(({ summary, state }) => ({ message: summary, state }));
  }
}

function newJob(instanceId: string, message: string): NewJob {
  const spec = new Map([[workload, { add: { automated: "true" }, remove: {} }]]);
  return {
    ...{ instanceId, idempotencyKey: message, kind: "policy", request: {}, summary: message },
    ...{ workloadIds: [workload], namespaces: ["shop"], plan: null, planDigest: "", needsApproval: false },
    spec: encodeUpdateSpec({ type: "policy", cause: { user: "ann", message }, spec }),
    requestedBy: { id: null, name: "ann" },
  };
}

/** The name in a database's URL. */
function databaseIn(url: string): string {
  return new URL(url.replace("weir@/", "weir@host/")).pathname.slice(1);
}
