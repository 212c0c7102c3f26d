import { type JsonValue, systemClock } from "@weir/base";
import { encodeUpdateSpec, FluxError, type UpdateSpec } from "@weir/flux";
import type { ApiServer, JobRequest, JobStatusReport } from "@weir/flux/api";
import type { Dice } from "@weir/testing";
import { SimulatedDaemon } from "./simulated-daemon.ts";

/** What a restless daemon needs. */
export interface RestlessOptions {
  /** Of Flux's API of the console. */
  readonly consoleUrl: string;
  readonly token: string;
  readonly dice: Dice;
  /** Otherwise, it's a daemon of Flux v1. */
  readonly isWeir: boolean;
}

/**
 * A daemon that connects again and again, at times in the middle of a job, and tells of what happens until the console
 * has said that it has it. It does what it's asked each time, so that a job that's sent twice is done twice.
 */
export class RestlessDaemon {
  /** The messages of the jobs that it did. */
  readonly done: string[] = [];
  /** The messages of the events that the console took. */
  readonly accepted: string[] = [];
  readonly #options: RestlessOptions;
  readonly #jobs = new Map<string, JobStatusReport>();
  readonly #unsent: JsonValue[] = [];
  #events = 0;

  constructor(options: RestlessOptions) {
    this.#options = options;
  }

  /** Connects and disconnects until `calm` is aborted, then stays connected until `stop` is; never rejects. */
  async run(calm: AbortSignal, stop: AbortSignal): Promise<void> {
    await Promise.all([this.#stayConnected(calm, stop), this.#tell(calm, stop)]);
  }

  async #stayConnected(calm: AbortSignal, stop: AbortSignal): Promise<void> {
    const { consoleUrl, token, dice, isWeir } = this.#options;
    while (!stop.aborted) {
      try {
        await using daemon = await SimulatedDaemon.connect(consoleUrl, {
          token,
          answers: this.#answers(),
          ...(isWeir ? { inspection: { requestJob: (request) => this.#request(request) } } : {}),
        });
        const patience = calm.aborted ? 3_600_000 : dice.between(100, 3_000);
        const rest = systemClock.sleep(patience, AbortSignal.any([stop, ...(calm.aborted ? [] : [calm])]));
        await Promise.race([daemon.closed, rest.catch(() => undefined)]);
      } catch {
        // The console, or its database, is away.
        await systemClock.sleep(100, stop).catch(() => undefined);
      }
    }
  }

  #answers(): Partial<ApiServer> {
    return {
      updateManifests: (spec) => Promise.resolve(this.#do(`job-${this.#jobs.size + 1}`, spec)),
      jobStatus: (id) => {
        const status = this.#jobs.get(id);
        return status === undefined
          ? Promise.reject(new FluxError("missing", `unknown job "${id}"`, "Help.\n"))
          : Promise.resolve(status);
      },
    };
  }

  #request({ id, work }: JobRequest): Promise<string> {
    return work.kind === "update"
      ? Promise.resolve(this.#do(id, work.spec))
      : Promise.reject(new FluxError("user", "not asked for here", "Help.\n"));
  }

  #do(id: string, spec: UpdateSpec): string {
    const { message } = spec.cause;
    this.done.push(message);
    const revision = `revision of ${message}`;
    this.#jobs.set(id, { state: "succeeded", error: "", result: { revision } });
    this.#unsent.push(event("commit", message, { revision, spec: encodeUpdateSpec(spec), result: {} }));
    return id;
  }

  /** Tells of what it did, and of other things while nothing is calm yet. */
  async #tell(calm: AbortSignal, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      if (this.#unsent.length === 0 && !calm.aborted) {
        this.#events += 1;
        this.#unsent.push(event("lock", `event ${this.#events}`));
      }
      const [next] = this.#unsent;
      if (next !== undefined && (await this.#post(next))) {
        this.#unsent.shift();
      } else {
        await systemClock.sleep(50, stop).catch(() => undefined);
      }
    }
  }

  async #post(body: JsonValue): Promise<boolean> {
    const { consoleUrl, token } = this.#options;
    try {
      const response = await fetch(`${consoleUrl}/v6/events`, {
        method: "POST",
        headers: { Authorization: `Scope-Probe token=${token}` },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      });
      await response.arrayBuffer();
      const isTaken = response.status === 204;
      if (isTaken) {
        this.accepted.push((body as { readonly message: string }).message);
      }
      return isTaken;
    } catch {
      return false;
    }
  }
}

function event(type: string, message: string, metadata?: JsonValue): JsonValue {
  const at = new Date().toISOString();
  return { type, message, startedAt: at, endedAt: at, ...(metadata === undefined ? {} : { metadata }) };
}
