import { type Clock, kubernetesLimits } from "@weir/base";
import { corePath, KubeApiError } from "@weir/kube";
import { ConnectionError, type RestClient } from "@weir/kube/rest";
import { Place, readLine } from "./place.ts";
import type { LogPrinter, LogSource } from "./printer.ts";
import { logQuery, type Wanted } from "./query.ts";

/** Which log of a container to read. */
export interface ReadOptions {
  readonly previous: boolean;
  readonly follow: boolean;
}

const cut = {
  most: kubernetesLimits.logLine,
  mark: ` [cut: the line is longer than ${kubernetesLimits.logLine / 1024} KiB]`,
};

/** The log of a container, read in one or several requests; each continues where the one before it ended. */
export class ContainerLog {
  readonly #world: LogWorld;
  readonly #source: LogSource;
  readonly #wanted: Wanted;
  readonly #place = new Place();
  #firstAt: number | undefined;

  constructor(world: LogWorld, source: LogSource, wanted: Wanted) {
    this.#world = world;
    this.#source = source;
    this.#wanted = wanted;
  }

  /** Prints what is new; resolves when the server ends the log. Rejects like RestClient. */
  async read({ previous, follow }: ReadOptions, signal: AbortSignal): Promise<void> {
    const { logClient, clock, printer } = this.#world;
    const { namespace, pod, container } = this.#source;
    const sinceFirstMs = this.#firstAt === undefined ? undefined : clock.now() - this.#firstAt;
    const query = logQuery({
      container,
      previous,
      follow,
      wanted: this.#wanted,
      place: this.#place.time,
      sinceFirstMs,
    });
    const beganAt = this.#firstAt;
    this.#firstAt ??= clock.now();
    this.#place.resume();
    const path = `${corePath(namespace, "pods", pod)}/log`;
    const accept = "application/json, */*";
    try {
      for await (const text of logClient.lines({
        method: "GET",
        path,
        query,
        accept,
        longLines: cut,
        signal,
      })) {
        const line = readLine(text);
        if (this.#place.isNew(line)) {
          await printer.line(this.#source, line);
        }
      }
    } catch (error) {
      if (isUnanswered(error)) {
        this.#firstAt = beganAt;
      }
      throw error;
    }
  }
}

export interface LogWorld {
  readonly client: RestClient;
  /** The same server, with patience for silent containers. */
  readonly logClient: RestClient;
  readonly clock: Clock;
  readonly printer: LogPrinter;
}

/** True if the server certainly gave no log. */
function isUnanswered(error: unknown): boolean {
  return error instanceof KubeApiError || (error instanceof ConnectionError && !error.sent);
}
