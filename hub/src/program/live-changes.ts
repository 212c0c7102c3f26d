import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  Listeners,
  type Logger,
  toError,
  type Unsubscribe,
} from "@weir/base";
import type { Bus } from "../bus/bus.ts";
import { topics } from "../daemons/ports.ts";
import { answeredEvent } from "../operations/events.ts";
import type { LiveChange } from "../rest/stream.ts";
import type { Database } from "../store/database.ts";
import { eventsById } from "../store/events.ts";
import { findJobState } from "../store/jobs.ts";

/** What live changes come from. */
export interface LiveChangesOptions {
  readonly database: Pick<Database, "connection">;
  readonly bus: Pick<Bus, "subscribe" | "onGap">;
  readonly log: Logger;
}

type Listener = (change: LiveChange) => void;

/**
 * What changes, for the streams of this console: messages of the bus go in, changes as the REST API tells them come out, in
 * the same order. Nothing is read while nobody listens.
 */
export class LiveChanges implements Disposable {
  readonly #options: LiveChangesOptions;
  readonly #listeners = new Listeners<Listener>();
  readonly #unsubscribe: readonly Unsubscribe[];
  #count = 0;
  #told: Promise<void> = Promise.resolve();

  constructor(options: LiveChangesOptions) {
    this.#options = options;
    const { bus } = options;
    this.#unsubscribe = [
      bus.subscribe(topics.events, (message) => this.#enqueue(() => this.#events(message))),
      bus.subscribe(topics.changes, (message) => this.#enqueue(() => changesOf(message))),
      bus.subscribe(topics.jobs, (message) => this.#enqueue(() => this.#job(message))),
      bus.onGap(() => this.#enqueue(() => [{ type: "reload" }])),
    ];
  }

  /** How many listen. */
  get listening(): number {
    return this.#count;
  }

  /** Calls a listener with what changes, as it does. */
  subscribe(listener: Listener): Unsubscribe {
    const remove = this.#listeners.add(listener);
    this.#count += 1;
    let isSubscribed = true;
    return () => {
      remove();
      this.#count -= isSubscribed ? 1 : 0;
      isSubscribed = false;
    };
  }

  [Symbol.dispose](): void {
    this.#unsubscribe.forEach((unsubscribe) => unsubscribe());
  }

  /** If what changed can't be read, readers look at everything again. */
  #enqueue(read: () => Promise<readonly LiveChange[]> | readonly LiveChange[]): void {
    this.#told = this.#told.then(async () => {
      if (this.#count === 0) {
        return;
      }
      const changes = await Promise.resolve()
        .then(read)
        .catch((error: unknown): readonly LiveChange[] => {
          this.#options.log.log({
            component: "streams",
            warning: "cannot read what changed",
            err: toError(error),
          });
          return [{ type: "reload" }];
        });
      for (const change of changes) {
        for (const listener of this.#listeners) {
          listener(change);
        }
      }
    });
  }

  async #events(message: JsonValue): Promise<readonly LiveChange[]> {
    const ids = isJsonObject(message) && isJsonArray(message["ids"]) ? message["ids"] : [];
    const events = await eventsById(
      this.#options.database.connection,
      ids.filter((id) => typeof id === "number"),
    );
    return events.map((event) => ({ type: "event", event: answeredEvent(event, event.instanceName) }));
  }

  async #job(message: JsonValue): Promise<readonly LiveChange[]> {
    const { instanceId, jobId } = isJsonObject(message) ? message : {};
    if (typeof instanceId !== "string" || typeof jobId !== "string") {
      return [];
    }
    const found = await findJobState(this.#options.database.connection, jobId);
    if (found === undefined) {
      return [];
    }
    const { state, namespaces } = found;
    return [{ type: "job", job: { type: "job", instanceId, jobId, state }, namespaces }];
  }
}

/** Of whatever a message says, the instance is read again too: it counts its workloads. */
function changesOf(message: JsonValue): readonly LiveChange[] {
  const { instanceId, workloads } = isJsonObject(message) ? message : {};
  if (typeof instanceId !== "string") {
    return [];
  }
  const ids = isJsonArray(workloads) ? workloads.filter((id) => typeof id === "string") : [];
  const named: LiveChange = { type: "workloads", instanceId, ids };
  const areNone = isJsonArray(workloads) && workloads.length === 0;
  return [{ type: "instance", instanceId }, ...(areNone ? [] : [named])];
}
