import { type BackoffPolicy, backoffDelay, Deadline, messageOf } from "@weir/base";
import { describeSuspensions, type TreeReport, UnknownEndpointError } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";
import { isOutage } from "../daemon/poll-daemon.ts";
import type { Findings, TopEvent } from "./model.ts";

/** How long fluxd waits for news before it's asked again, in milliseconds. */
const waitMs = 20_000;

/** The shortest time between two readings, and how much longer than a reading it is. */
const pause = { ms: 1_000, share: 10 };

/** How often to read everything from a fluxd that can't tell when there's news, in milliseconds. */
const blindPollMs = 5_000;

const retries: BackoffPolicy = { initialMs: 1_000, maxMs: 15_000, factor: 2, jitter: 0.2 };

/** What to follow, and whom to tell. */
export interface SourceOptions {
  /** "" for all. */
  readonly namespace: string;
  readonly context: CommandContext;
  readonly tell: (event: TopEvent) => void;
}

/**
 * Follows fluxd: reads everything once, and again whenever fluxd says that there's news. While nothing changes, there
 * are only two requests that wait. A connection that's lost is opened again.
 */
export class Source {
  readonly #options: SourceOptions;
  #client: ApiClient;
  #version: string | undefined;
  #lastEvent = 0;

  constructor(client: ApiClient, options: SourceOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** The current connection. */
  get client(): ApiClient {
    return this.#client;
  }

  /** Reads everything. Rejects if fluxd doesn't respond or can't tell. */
  async read(signal: AbortSignal): Promise<void> {
    await this.#found(await this.#client.tree({ namespace: this.#options.namespace }, signal), signal);
  }

  /** Rejects when the command ends, never because of fluxd. */
  async follow(): Promise<never> {
    const { context, tell } = this.#options;
    const { clock, signal } = context;
    for (let failures = 0; ; ) {
      try {
        if (failures > 0) {
          // The pod behind the forwarded port may have been replaced.
          this.#client = await context.connect();
          this.#version = undefined;
          await this.#limited(0, signal, (each) => this.read(each));
          tell({ kind: "regained" });
          failures = 0;
        }
        await this.#followConnection();
      } catch (error) {
        signal.throwIfAborted();
        failures += 1;
        tell({ kind: "lost", reason: reasonOf(error) });
        await clock.sleep(backoffDelay(retries, failures), signal);
      }
    }
  }

  /** Rejects as soon as one of the two requests does. */
  async #followConnection(): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#options.context.signal, over.signal]);
    try {
      await Promise.all([this.#followTree(signal), this.#followEvents(signal)]);
    } finally {
      over.abort();
    }
  }

  async #followTree(signal: AbortSignal): Promise<never> {
    const { context, namespace } = this.#options;
    for (;;) {
      const after = this.#version;
      if (after === undefined) {
        await context.clock.sleep(blindPollMs, signal);
        await this.#limited(0, signal, (each) => this.read(each));
        continue;
      }
      const report = await this.#limited(waitMs, signal, (each) =>
        this.#client.changedTree({ namespace, after, waitMs }, each),
      );
      if (report !== undefined) {
        const began = context.clock.now();
        await this.#limited(0, signal, (each) => this.#found(report, each));
        const took = context.clock.now() - began;
        await context.clock.sleep(Math.max(pause.ms, pause.share * took), signal);
      }
    }
  }

  async #followEvents(signal: AbortSignal): Promise<never> {
    for (let wait = 0; ; wait = waitMs) {
      const query = { after: this.#lastEvent, waitMs: wait };
      const events = await this.#limited(wait, signal, (each) => this.#client.events(query, each));
      this.#lastEvent = events.at(-1)?.id ?? this.#lastEvent;
      if (events.length > 0) {
        this.#options.tell({ kind: "logged", events });
      }
      await this.#limited(0, signal, (each) => this.#readSuspensions(each));
    }
  }

  /** Suspending and resuming are events too, but the end of a suspension isn't. */
  async #readSuspensions(signal: AbortSignal): Promise<void> {
    try {
      const suspensions = await this.#client.suspensions(signal);
      const text = describeSuspensions(suspensions).join("; ");
      this.#options.tell({ kind: "banner", text: text.charAt(0).toUpperCase() + text.slice(1) });
    } catch (error) {
      if (!(error instanceof UnknownEndpointError)) {
        throw error;
      }
    }
  }

  async #found(report: TreeReport, signal: AbortSignal): Promise<void> {
    const { namespace, tell } = this.#options;
    const [workloads, unapplied] = await Promise.all([
      this.#client.listWorkloads({ namespace, workloads: [] }, signal),
      this.#unapplied(report, signal),
    ]);
    this.#version = report.version;
    const byId: Findings["workloads"] = new Map(
      workloads.map((workload) => [workload.id, workload] as const),
    );
    const { revision, resources } = report;
    tell({ kind: "found", findings: { revision, resources, workloads: byId, unapplied } });
  }

  /**
   * How many commits aren't applied, or undefined if that can't be known. A sync may have ended after the tree was
   * read; what it applied would then look like drift.
   */
  async #unapplied(report: TreeReport, signal: AbortSignal): Promise<number | undefined> {
    const { revision, version, resources } = report;
    const { namespace } = this.#options;
    try {
      const { length } = await this.#client.syncStatus(revision, signal);
      const mayBeDrift = length === 0 && resources.some(({ sync }) => sync === "OutOfSync");
      if (!mayBeDrift) {
        return length;
      }
      const query = { namespace, after: version ?? "", waitMs: 0 };
      return version !== undefined && (await this.#client.changedTree(query, signal)) === undefined
        ? length
        : undefined;
    } catch (error) {
      if (signal.aborted || isOutage(error)) {
        throw error;
      }
      return undefined;
    }
  }

  /** Ends work that takes longer than --timeout allows, in addition to the time that fluxd waits. */
  async #limited<T>(
    wait: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { clock, globals } = this.#options.context;
    using deadline = new Deadline(clock, wait + globals.timeout.value, signal);
    return await work(deadline.signal);
  }
}

function reasonOf(error: unknown): string {
  const text = messageOf(error).trim();
  return isOutage(error)
    ? `no connection to fluxd, retrying: ${text}`
    : `fluxd cannot tell, retrying: ${text}`;
}
