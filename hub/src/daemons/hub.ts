/**
 * The hub: accepts the daemons of instances, knows which console each is connected to, passes on calls to them, and
 * keeps what the store has of them current. Several hubs share one database.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  type Clock,
  Deadline,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type Logger,
  toError,
  type Unsubscribe,
} from "@weir/base";
import { FluxError } from "@weir/flux";
import {
  type Admission,
  type Caller,
  type ConnectedDaemon,
  Inspectable,
  protocolOf,
  protocolVersions,
  type ReceivedEvent,
  remoteDaemon,
  UpstreamServer,
  unavailableError,
} from "@weir/upstream-server";
import type { Bus } from "../bus/bus.ts";
import type { Database } from "../store/database.ts";
import { databaseTime } from "../store/database-time.ts";
import type { NewEvent } from "../store/events.ts";
import { newId } from "../store/ids.ts";
import type { Synced } from "../store/instance-syncs.ts";
import { findInstance, findInstancesByToken } from "../store/instances.ts";
import { searchLimit } from "../store/job-limits.ts";
import { instancesWithOpenJobs } from "../store/jobs.ts";
import { beat, forgetConsoles, type Lease, releaseLease, renewLeases, takeLease } from "../store/leases.ts";
import { hasPresenceChanges, notePresence } from "../store/presence.ts";
import { hashOfSecret } from "../store/secret-hash.ts";
import { newEvent, presenceEvent, syncedBy } from "./events.ts";
import { Gate } from "./gate.ts";
import { Intake } from "./intake.ts";
import { JobRunner } from "./job-runner.ts";
import { Keeper } from "./keeper.ts";
import { KnownTokens } from "./known-tokens.ts";
import { Link } from "./link.ts";
import { LogFollower } from "./log-follower.ts";
import { Pace } from "./pace.ts";
import { type AdmitJob, type ReachedDaemon, topics } from "./ports.ts";
import { Rivals } from "./rivals.ts";
import { Switchboard } from "./switchboard.ts";

/** What a hub needs. */
export interface HubOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  /** Of this console, different from all others. */
  readonly consoleId: string;
  readonly admitJob: AdmitJob;
  readonly intervals?: Partial<HubIntervals>;
}

/** In milliseconds. */
export interface HubIntervals {
  /** Between two heartbeats of the console. */
  readonly heartbeat: number;
  /** After which a console without a heartbeat counts as gone. */
  readonly silence: number;
  /** How long what was read of a daemon counts as current. */
  readonly reading: number;
  /** How long a sign is looked for of a job that a connected daemon doesn't know. */
  readonly search: number;
  /** After which a daemon that doesn't come back is told to be gone. */
  readonly gone: number;
  /** How long two daemons have to take turns with one token for it not to be a rollout. */
  readonly rivalry: number;
}

/** Where daemons connect. */
export const upstreamPath = "/api/flux";

const usualIntervals: HubIntervals = {
  heartbeat: 10_000,
  silence: 35_000,
  reading: 60_000,
  search: searchLimit,
  gone: 120_000,
  rivalry: 180_000,
};

/** An instance without a daemon is told of after this many times of what a daemon has that was there. */
const timeToInstall = 30;

/** How many daemons are read at a time, and how long one of them may hold up others, in milliseconds. */
const gateLimits = { places: 16, patience: 2_000 };

/**
 * How many daemons are read in a second, so that storing events comes first when all of them have news at once. 1,000
 * daemons are still read within 40 seconds.
 */
const paceLimits = { perSecond: 25, burst: 10 };

/** How long a console that stops tries to store what daemons have answered, in milliseconds. */
const lastWrites = 5_000;

/** A connected daemon, and what works for it. */
interface Entry {
  readonly link: Link;
  readonly keeper: Keeper;
  readonly runner: JobRunner;
  readonly ended: Promise<void>;
}

/** The hub of one console. */
export class Hub {
  readonly #options: HubOptions;
  readonly #intervals: HubIntervals;
  readonly #upstream: UpstreamServer;
  readonly #intake: Intake;
  readonly #gate: Gate;
  readonly #pace: Pace;
  readonly #tokens: KnownTokens;
  readonly #switchboard: Switchboard;
  readonly #rivals: Rivals;
  /** By instance. */
  readonly #entries = new Map<string, Entry>();
  /** By lease; also those that are being replaced. */
  readonly #links = new Map<string, Link>();
  readonly #working = new Set<Promise<void>>();
  readonly #admitted = new WeakMap<Caller, string>();
  readonly #unsubscribe: readonly Unsubscribe[];
  /** Aborted when what isn't stored yet won't be. */
  readonly #givingUp = new AbortController();
  #stopping = false;

  constructor(options: HubOptions) {
    const { clock, bus, consoleId, log } = options;
    this.#options = options;
    this.#intervals = { ...usualIntervals, ...options.intervals };
    this.#intake = new Intake(options);
    this.#tokens = new KnownTokens(clock, (hashes) =>
      findInstancesByToken(options.database.connection, hashes),
    );
    this.#gate = new Gate(clock, gateLimits);
    this.#pace = new Pace(clock, paceLimits);
    this.#rivals = new Rivals({ ...options, intake: this.#intake, patience: this.#intervals.rivalry });
    this.#switchboard = new Switchboard({
      ...{ consoleId, bus, clock, log },
      linkOf: (instanceId) => this.#entries.get(instanceId)?.link,
      close: (leaseId) => this.#closeReplaced(leaseId),
    });
    this.#upstream = new UpstreamServer({
      basePath: upstreamPath,
      clock,
      admit: (caller) => this.#admit(caller),
      connected: (daemon) => this.#begin(() => this.#connected(daemon)),
      event: (event, caller) => this.#take(event, caller),
    });
    this.#unsubscribe = [
      bus.subscribe(topics.events, (message) => this.#wakeForEvents(message)),
      bus.subscribe(topics.jobs, (message) => this.#entryIn(message)?.runner.wake()),
      bus.subscribe(topics.tokens, () => this.#tokens.clear()),
      bus.onGap(() => this.#tokens.clear()),
      bus.subscribe(topics.tokens, (message) => void this.#entryIn(message)?.link.close()),
      bus.onGap(() => void this.#wakeForJobs()),
    ];
  }

  /** Handles a request to open a websocket below `upstreamPath`; never rejects. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    return this.#upstream.handleUpgrade(request, socket, head);
  }

  /** Handles an event that a daemon posts; never rejects. */
  handleEvent(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#upstream.handleRequest(request, response);
  }

  /** How many daemons are connected to this console. */
  get connections(): number {
    return this.#entries.size;
  }

  /**
   * A daemon that's connected to any console. Rejects with a FluxError (unavailable) if it isn't connected, or there's no
   * such instance.
   */
  async daemon(instanceId: string): Promise<ReachedDaemon> {
    const local = this.#entries.get(instanceId)?.link;
    if (local?.signal.aborted === false) {
      return local.daemon;
    }
    const instance = await findInstance(this.#options.database.connection, instanceId, "everything");
    if (instance === undefined || instance.consoleId === null || instance.leaseId === null) {
      throw unavailableError(new Error("the daemon is not connected"));
    }
    const { consoleId, leaseId, protocol } = instance;
    const call = this.#switchboard.callOver(instanceId, { consoleId, leaseId });
    const version = protocolVersions.find((each) => String(each) === protocol) ?? protocolVersions[0];
    const inspectable = new Inspectable(call, protocolOf(version));
    return {
      api: remoteDaemon(call, protocolOf(version)),
      inspection: (signal) => inspectable.client(signal),
    };
  }

  /**
   * Works until it's told to stop, then closes all connections, whose daemons connect to another console, and gives
   * their leases back. Never rejects.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock.now();
    while (!signal.aborted) {
      await this.#beat().catch((error: unknown) => this.#warn("cannot store the heartbeat", error));
      await this.#wakeForJobs();
      // After all consoles were away, all daemons get the time to come back.
      if (clock.now() - startedAt > this.#intervals.gone) {
        await this.#notePresence().catch((error: unknown) =>
          this.#warn("cannot tell which daemons are gone", error),
        );
      }
      await clock.sleep(this.#intervals.heartbeat, signal).catch(() => undefined);
    }
    await this.#stop();
  }

  async #stop(): Promise<void> {
    this.#stopping = true;
    const { database, consoleId, clock } = this.#options;
    await this.#upstream.close();
    using deadline = new Deadline(clock, lastWrites);
    deadline.signal.addEventListener("abort", () => this.#givingUp.abort(deadline.signal.reason), {
      once: true,
    });
    while (this.#working.size > 0) {
      await Promise.all(this.#working);
    }
    await this.#intake.idle();
    this.#unsubscribe.forEach((unsubscribe) => unsubscribe());
    this.#switchboard[Symbol.dispose]();
    // Who else is gone, the others find out.
    const stopped = { deadSince: new Date(0), stopped: consoleId };
    await forgetConsoles(database.connection, stopped, clock.now()).catch((error: unknown) =>
      this.#warn("cannot give leases back; other consoles will", error),
    );
  }

  /**
   * Says that this console and its daemons are there, and finds out who isn't: by the time of the database, as the clocks
   * of consoles can differ by more than their patience.
   */
  async #beat(): Promise<void> {
    const { database, consoleId, version } = this.#options;
    const { connection } = database;
    const now = await databaseTime(connection);
    await beat(connection, { id: consoleId, address: "", version }, now);
    const leases = [...this.#entries.values()].map(({ link }) => link.lease.leaseId);
    const held = await renewLeases(connection, leases, now);
    leases
      .filter((leaseId) => !held.has(leaseId))
      .forEach((leaseId) => void this.#links.get(leaseId)?.close());
    const deadSince = new Date(now - this.#intervals.silence);
    const gone = await forgetConsoles(connection, { deadSince }, now);
    await Promise.all(gone.map((instanceId) => this.#tellChange(instanceId)));
    await this.#rivals.forget(now);
  }

  /** Daemons come and go in moments; only what lasts is an event. */
  async #notePresence(): Promise<void> {
    const { database, clock } = this.#options;
    const now = clock.now();
    const { gone } = this.#intervals;
    const limits = {
      endedBefore: new Date(now - gone),
      addedBefore: new Date(now - timeToInstall * gone),
    };
    if (await hasPresenceChanges(database.connection, limits)) {
      await this.#intake.addFrom(async (transaction) =>
        (await notePresence(transaction, limits)).map((change) => presenceEvent(change, now)),
      );
    }
  }

  async #admit(caller: Caller): Promise<Admission> {
    const instanceId = await this.#instanceOf(caller);
    if (instanceId === undefined) {
      return 401;
    }
    this.#admitted.set(caller, instanceId);
    return "welcome";
  }

  async #instanceOf({ token }: Caller): Promise<string | undefined> {
    if (this.#stopping) {
      throw new Error("the console stops");
    }
    return token === "" ? undefined : this.#tokens.instanceOf(hashOfSecret(token));
  }

  #begin(work: () => Promise<void>): void {
    const working = work()
      .catch((error: unknown) => this.#warn("a connection failed", error))
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  /** Resolves when everything that was done for the connection has ended. */
  async #connected(daemon: ConnectedDaemon): Promise<void> {
    const { database, consoleId, clock } = this.#options;
    const instanceId = this.#admitted.get(daemon.caller) ?? "";
    const lease: Lease = { instanceId, consoleId, leaseId: newId(clock.now()) };
    const link = new Link(lease, daemon);
    this.#links.set(lease.leaseId, link);
    try {
      const { userAgent } = daemon.caller;
      const before = await takeLease(
        database.connection,
        { ...lease, userAgent, protocol: String(daemon.protocol) },
        clock.now(),
      );
      if (before !== undefined) {
        await this.#replace(before);
      }
    } catch (error) {
      // The daemon comes again in a few seconds.
      await link.close();
      this.#links.delete(lease.leaseId);
      throw error;
    }
    await this.#workFor(link);
    this.#links.delete(lease.leaseId);
    await this.#disconnected(link);
  }

  async #replace(before: { readonly consoleId: string; readonly leaseId: string }): Promise<void> {
    if (before.consoleId === this.#options.consoleId) {
      this.#closeReplaced(before.leaseId);
    } else {
      await this.#switchboard
        .closeElsewhere(before)
        .catch((error: unknown) => this.#warn("cannot tell a console of a newer connection", error));
    }
  }

  async #workFor(link: Link): Promise<void> {
    const { instanceId } = link.lease;
    const keeper = new Keeper(link, {
      ...this.#options,
      gate: this.#gate,
      pace: this.#pace,
      intake: this.#intake,
      interval: this.#intervals.reading,
    });
    const runner = new JobRunner(link, {
      ...this.#options,
      patience: this.#givingUp.signal,
      searchMs: this.#intervals.search,
      ended: () => keeper.hurry(),
    });
    const follower = new LogFollower(link, { ...this.#options, intake: this.#intake });
    const ended = Promise.all([keeper.run(), runner.run(), follower.run()]).then(() => undefined);
    const entry: Entry = { link, keeper, runner, ended };
    if (!link.signal.aborted) {
      this.#entries.set(instanceId, entry);
      await this.#closeWithoutToken(link);
    }
    await this.#tellChange(instanceId);
    await link.daemon.closed;
    if (this.#entries.get(instanceId) === entry) {
      this.#entries.delete(instanceId);
    }
    await ended;
  }

  /** From now on, a message of a new token closes the connection; one that came before it was ready is made up for. */
  async #closeWithoutToken(link: Link): Promise<void> {
    const { daemon, lease } = link;
    const owner = await this.#tokens.instanceOf(hashOfSecret(daemon.caller.token)).catch((error: unknown) => {
      this.#warn("cannot check a token again", error);
    });
    if (owner !== lease.instanceId) {
      await link.close();
    }
  }

  async #disconnected({ lease }: Link): Promise<void> {
    const { database, clock } = this.#options;
    if (await releaseLease(database.connection, lease, clock.now())) {
      await this.#tellChange(lease.instanceId);
    }
  }

  #closeReplaced(leaseId: string): void {
    const link = this.#links.get(leaseId);
    if (link !== undefined) {
      this.#begin(() => this.#rivals.close(link));
    }
  }

  /** Resolves when the event is stored, so that its sender doesn't have to keep it any longer. */
  async #take(event: ReceivedEvent, caller: Caller): Promise<void> {
    const instanceId = this.#admitted.get(caller) ?? "";
    await this.#store(newEvent(instanceId, event), syncedBy(instanceId, event));
  }

  /** What's wrong with the database is nothing that a daemon should be told. */
  async #store(event: NewEvent, synced: Synced | undefined): Promise<void> {
    try {
      await this.#intake.add(event, synced);
    } catch (error) {
      this.#warn("cannot store an event; the daemon sends it again", error);
      throw new FluxError(
        "busy",
        "the console cannot store events at the moment",
        "The console cannot store events at the moment\n\nIt keeps nothing of this one; send it again.\n",
      );
    }
  }

  #wakeForEvents(message: JsonValue): void {
    const ids = isJsonObject(message) && isJsonArray(message["instanceIds"]) ? message["instanceIds"] : [];
    for (const id of ids) {
      const entry = typeof id === "string" ? this.#entries.get(id) : undefined;
      entry?.keeper.wake();
      entry?.runner.wakeForEvents();
    }
  }

  /** Whoever adds a job says so; this makes up for messages that got lost, with one query for all daemons. Never rejects. */
  async #wakeForJobs(): Promise<void> {
    try {
      const ids = await instancesWithOpenJobs(this.#options.database.connection);
      ids.forEach((id) => this.#entries.get(id)?.runner.wake());
    } catch (error) {
      this.#warn("cannot look for jobs", error);
    }
  }

  #entryIn(message: JsonValue): Entry | undefined {
    const id = isJsonObject(message) ? message["instanceId"] : undefined;
    return typeof id === "string" ? this.#entries.get(id) : undefined;
  }

  async #tellChange(instanceId: string): Promise<void> {
    await this.#options.bus
      .publish(topics.changes, { instanceId, workloads: [] })
      .catch((error: unknown) => this.#warn("cannot tell of a change", error));
  }

  #warn(warning: string, error: unknown): void {
    this.#options.log.log({ component: "hub", warning, err: toError(error) });
  }
}
