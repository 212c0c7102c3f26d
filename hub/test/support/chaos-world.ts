import assert from "node:assert/strict";
import { silentLogger, systemClock } from "@weir/base";
import { encodeUpdateSpec, parseResourceId } from "@weir/flux";
import { type Dice, freePort, until } from "@weir/testing";
import { Database } from "../../src/store/database.ts";
import { createInstance } from "../../src/store/instances.ts";
import { createJob } from "../../src/store/job-lifecycle.ts";
import type { NewJob } from "../../src/store/jobs.ts";
import { grantRole } from "../../src/store/roles.ts";
import { hashOfSecret } from "../../src/store/secret-hash.ts";
import { createUser } from "../../src/store/users.ts";
import { Balancer } from "./balancer.ts";
import type { ServerDatabases } from "./databases.ts";
import { RestlessDaemon } from "./restless-daemon.ts";

const workload = parseResourceId("shop:deployment/web");

/** A console that listens on the port that it was told. */
export interface KillableConsole extends AsyncDisposable {
  /** Ends it without a chance to do anything. */
  kill(): Promise<void>;
}

/** What comes and goes. */
export interface ChaosOptions {
  readonly databases: ServerDatabases;
  readonly dice: Dice;
  readonly daemons: number;
  readonly jobsPerDaemon: number;
  /** Whether a daemon is Weir's, which can be asked about jobs by the console's own IDs; otherwise, it's of Flux v1. */
  readonly isWeir: (name: string) => boolean;
  readonly startConsole: (databaseUrl: string, port: number) => Promise<KillableConsole>;
}

/** What is left when all jobs have ended. */
export interface Outcome {
  readonly jobs: readonly {
    readonly message: string;
    readonly instance: string;
    readonly state: string;
    readonly isEnded: boolean;
  }[];
  readonly events: readonly { readonly instance: string; readonly message: string }[];
  readonly daemons: readonly Member[];
}

/** A daemon that is connected, or about to be. */
export interface Member {
  readonly name: string;
  readonly instanceId: string;
  readonly daemon: RestlessDaemon;
}

/** Three consoles on one database behind a load balancer, and daemons that connect to them. */
export class ChaosWorld implements AsyncDisposable {
  readonly #options: ChaosOptions;
  readonly #url: string;
  readonly #database: Database;
  readonly #userId: string;
  readonly #ports: readonly number[];
  readonly #consoles = new Map<number, KillableConsole>();
  readonly #members: Member[] = [];
  readonly #balancer: Balancer;
  readonly #calm = new AbortController();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];
  #jobs = 0;

  private constructor(
    options: ChaosOptions,
    { url, database, userId }: Stored,
    { ports, balancer }: { readonly ports: readonly number[]; readonly balancer: Balancer },
  ) {
    this.#options = options;
    this.#url = url;
    this.#database = database;
    this.#userId = userId;
    this.#ports = ports;
    this.#balancer = balancer;
  }

  static async start(options: ChaosOptions): Promise<ChaosWorld> {
    const { databases, dice, daemons } = options;
    const url = await databases.create();
    // What's committed must survive a crash of the server, unlike in other tests.
    await databases.server.administer(`alter database "${databaseIn(url)}" set synchronous_commit = on`);
    const database = await Database.open({ kind: "server", url }, { log: silentLogger, connections: 3 });
    const ports = [await freePort(), await freePort(), await freePort()];
    const userId = await addOperator(database);
    const balancer = await Balancer.start(ports);
    const world = new ChaosWorld(options, { url, database, userId }, { ports, balancer });
    try {
      await Promise.all(ports.map((port) => world.#startConsole(port)));
      for (let index = 0; index < daemons; index += 1) {
        await world.#addDaemon(`cluster-${index}`, dice.of("daemon", index));
      }
      return world;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Strikes again and again, while jobs are requested; resolves when each daemon could tell of something after that. */
  async suffer(blows: number): Promise<void> {
    const { dice, daemons, jobsPerDaemon } = this.#options;
    for (let count = 0; count < blows; count += 1) {
      await this.#addJobs(Math.ceil((daemons * jobsPerDaemon) / blows));
      await this.#strike(dice.of("blow", count));
      await this.#untilEventsAreTaken();
    }
  }

  /** Requests jobs, each with a message of its own. */
  async #addJobs(count: number): Promise<void> {
    const { daemons, jobsPerDaemon } = this.#options;
    for (let added = 0; added < count && this.#jobs < daemons * jobsPerDaemon; added += 1) {
      const member = this.#members[this.#jobs % this.#members.length];
      this.#jobs += 1;
      const job = newJob(member?.instanceId ?? "", `job ${this.#jobs}`, this.#userId);
      await until("the job to be stored", async () => {
        await createJob(this.#database.connection, job, Date.now());
        return true;
      });
    }
  }

  /** Ends something without warning, and starts it again. */
  async #strike(dice: Dice): Promise<void> {
    const { server } = this.#options.databases;
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
  async #untilEventsAreTaken(): Promise<void> {
    const before = this.#members.map(({ daemon }) => daemon.accepted.length);
    await until("new events of all daemons", () =>
      this.#members.every(({ daemon }, index) => daemon.accepted.length > (before[index] ?? 0)),
    );
  }

  /** Lets the daemons stay connected, and resolves to what is stored when all jobs are settled. */
  async calmDown(): Promise<Outcome> {
    this.#calm.abort();
    const jobs = await until("all jobs to be settled", async () => {
      const found = await this.#storedJobs();
      return found.every(({ isEnded }) => isEnded) && found;
    });
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
  }

  async #startConsole(port: number): Promise<void> {
    this.#consoles.set(port, await this.#options.startConsole(this.#url, port));
  }

  async #addDaemon(name: string, dice: Dice): Promise<void> {
    const token = `token of ${name}`;
    const instance = { name, description: "", tokenHash: hashOfSecret(token) };
    const instanceId = await createInstance(this.#database.connection, instance, systemClock.now());
    const daemon = new RestlessDaemon({
      ...{ consoleUrl: `${this.#balancer.url}/api/flux`, token, dice },
      isWeir: this.#options.isWeir(name),
    });
    this.#members.push({ name, instanceId, daemon });
    this.#running.push(daemon.run(this.#calm.signal, this.#stop.signal));
  }

  async #storedJobs(): Promise<Outcome["jobs"]> {
    const rows = await this.#database.connection
      .selectFrom("jobs")
      .innerJoin("instances", "instances.id", "jobs.instanceId")
      .select(["summary", "state", "endedAt", "instances.name as instance"])
      .orderBy("summary")
      .execute();
    return rows.map(({ summary, endedAt, ...row }) => ({
      ...row,
      message: summary,
      isEnded: endedAt !== null,
    }));
  }
}

/** What a world has in its database. */
interface Stored {
  readonly url: string;
  readonly database: Database;
  /** Of who requests the jobs. */
  readonly userId: string;
}

async function addOperator({ connection }: Database): Promise<string> {
  const now = Date.now();
  const userId = await createUser(connection, { login: "ann", name: "", email: "", groups: [] }, now);
  const everywhere = { userId, groupName: null, instanceId: null, namespace: null, createdBy: null };
  await grantRole(connection, { ...everywhere, role: "operator" }, now);
  return userId;
}

function newJob(instanceId: string, message: string, userId: string): NewJob {
  const spec = new Map([[workload, { add: { automated: "true" }, remove: {} }]]);
  return {
    ...{ instanceId, idempotencyKey: message, kind: "policy", request: {}, summary: message },
    ...{
      workloadIds: [workload],
      namespaces: ["shop"],
      plan: null,
      planDigest: "",
      exact: false,
      needsApproval: false,
    },
    spec: encodeUpdateSpec({ type: "policy", cause: { user: "ann", message }, spec }),
    requestedBy: { id: userId, name: "ann", tokenId: null },
  };
}

/** The name in a database's URL. */
function databaseIn(url: string): string {
  return new URL(url.replace("weir@/", "weir@host/")).pathname.slice(1);
}

/** Each event that a console took is stored once, and no daemon was sent a job twice. */
export function assertNothingLost({ events, daemons }: Outcome): void {
  for (const { name, daemon } of daemons) {
    const stored = events.filter(({ instance }) => instance === name).map(({ message }) => message);
    assert.deepEqual(stored.toSorted(), daemon.accepted.toSorted(), `events of ${name}`);
    assert.deepEqual(daemon.done.toSorted(), [...new Set(daemon.done)].toSorted(), `jobs of ${name}`);
  }
}

/** Each job ended as it really did; one that never reached its daemon has the state that its instance can have then. */
export function assertEnded({ jobs, daemons }: Outcome, undone: (instance: string) => string): void {
  const done = new Set(daemons.flatMap(({ daemon }) => daemon.done));
  assert.deepEqual(
    jobs.map(({ message, state, isEnded }) => [message, state, isEnded]),
    jobs.map(({ message, instance }) => [message, done.has(message) ? "succeeded" : undone(instance), true]),
  );
}
