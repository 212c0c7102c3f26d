import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, type JsonValue, silentLogger, systemClock } from "@weir/base";
import { keepIdleConnections, until } from "@weir/testing";
import { DatabaseBus } from "../../src/bus/bus.ts";
import { Hub, type HubIntervals } from "../../src/daemons/hub.ts";
import { type AdmitJob, topics } from "../../src/daemons/ports.ts";
import { FluxApi, type FluxApiOptions } from "../../src/flux-api/flux-api.ts";
import type { Database } from "../../src/store/database.ts";
import {
  createInstance,
  findInstance,
  findInstancesByToken,
  type Instance,
} from "../../src/store/instances.ts";
import { hashOfSecret } from "../../src/store/secret-hash.ts";
import { SimulatedDaemon, type SimulatedOptions } from "./simulated-daemon.ts";

let consoles = 0;

/** How often the hub does things, and who may use Flux's API: by default, whoever has the token of an instance. */
interface TestConsoleOptions extends Partial<HubIntervals> {
  readonly authorize?: FluxApiOptions["authorize"];
  /** By default, every job is admitted. */
  readonly admitJob?: AdmitJob;
  readonly clock?: Clock;
}

/** The hub and Flux's API of one console, on a database that the test owns. */
export class TestConsole implements AsyncDisposable {
  readonly hub: Hub;
  readonly database: Database;
  readonly consoleId: string;
  readonly #server: Server;
  readonly bus: DatabaseBus;
  readonly #daemons: SimulatedDaemon[] = [];
  readonly #stop = new AbortController();
  readonly #stopBus = new AbortController();
  readonly #ended: Promise<void>;
  readonly #busEnded: Promise<void>;

  private constructor(
    database: Database,
    bus: DatabaseBus,
    { authorize, admitJob, clock = systemClock, ...intervals }: TestConsoleOptions,
  ) {
    consoles += 1;
    this.bus = bus;
    this.database = database;
    this.consoleId = `console-${consoles}`;
    this.hub = new Hub({
      ...{ database, intervals },
      bus,
      clock,
      log: silentLogger,
      version: "test",
      consoleId: this.consoleId,
      admitJob: admitJob ?? (() => Promise.resolve({ isAdmitted: true, revision: "" })),
    });
    const api = new FluxApi({
      hub: this.hub,
      authorize:
        authorize ??
        (async ({ token, needs }) => {
          const [own = ""] = token.split("!");
          const hash = hashOfSecret(own);
          const instanceId = (await findInstancesByToken(database.connection, [hash])).get(hash);
          const allowed = needs === "read" || !token.endsWith("!viewer");
          const refusal = { status: 403, message: "not permitted", help: "Not permitted\n" } as const;
          return instanceId === undefined ? 401 : allowed ? { instanceId } : refusal;
        }),
    });
    this.#server = createServer((request, response) => void api.handle(request, response));
    keepIdleConnections(this.#server);
    this.#server.on("upgrade", (request, socket, head) => void this.hub.handleUpgrade(request, socket, head));
    this.#busEnded = bus.run(this.#stopBus.signal);
    this.#ended = this.hub.run(this.#stop.signal);
  }

  static async start(database: Database, options: TestConsoleOptions = {}): Promise<TestConsole> {
    const bus = new DatabaseBus({ database, clock: systemClock, log: silentLogger });
    let listens = false;
    bus.onGap(() => (listens = true));
    const console = new TestConsole(database, bus, options);
    await new Promise<void>((resolve) => console.#server.listen(0, "127.0.0.1", resolve));
    await until("the bus to listen", () => listens);
    return console;
  }

  /** Where daemons connect, and where fluxctl finds the API. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/flux`;
  }

  /** Connects a daemon, which is closed together with the console if the test doesn't close it before. */
  async connect(options: SimulatedOptions): Promise<SimulatedDaemon> {
    const daemon = await SimulatedDaemon.connect(this.url, options);
    this.#daemons.push(daemon);
    return daemon;
  }

  /** Adds an instance that has this token; resolves to its ID. */
  addInstance(name: string, token: string): Promise<string> {
    const instance = { name, description: "", tokenHash: hashOfSecret(token) };
    return createInstance(this.database.connection, instance, systemClock.now());
  }

  async instance(id: string): Promise<Instance> {
    const found = await findInstance(this.database.connection, id, "everything");
    if (found === undefined) {
      throw new Error(`there is no instance ${id}`);
    }
    return found;
  }

  /** Resolves to the instance as soon as it's in this state. */
  instanceWhen(id: string, what: string, is: (instance: Instance) => boolean): Promise<Instance> {
    return until(what, async () => {
      const instance = await this.instance(id);
      return is(instance) && instance;
    });
  }

  /** Says that an instance has a job, as whoever creates one does. */
  async wake(instanceId: string): Promise<void> {
    await this.publish(topics.jobs, { instanceId, jobId: "" });
  }

  /** Sends a message to all consoles. */
  async publish(topic: string, message: JsonValue): Promise<void> {
    await this.bus.publish(topic, message);
  }

  /** Doesn't answer any more, as if its process had been killed, and gives nothing back. */
  async die(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#stopBus.abort();
    await this.#busEnded;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#daemons.map((daemon) => daemon[Symbol.asyncDispose]()));
    this.#stop.abort();
    await this.#ended;
    this.#stopBus.abort();
    await this.#busEnded;
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
