import { type Clock, messageOf, orAborted } from "@weir/base";
import type { Connection } from "./cluster-connection.ts";
import type { OutsideCalls } from "./outside-calls.ts";

/** A cluster can't be used now. */
export class ClusterUnavailableError extends Error {
  override readonly name = "ClusterUnavailableError";
  readonly cluster: string;

  constructor(cluster: string, cause: unknown) {
    super(`cluster "${cluster}": ${messageOf(cause)}`, { cause });
    this.cluster = cluster;
  }
}

/** A connection that stays open until the lease is disposed. */
export interface ConnectionLease extends Disposable {
  readonly connection: Connection;
}

/** The dependencies of a link. */
export interface ClusterLinkOptions {
  /** The name of the cluster. */
  readonly cluster: string;
  /** If its signal is aborted, nobody closes the connection. */
  readonly connect: (signal: AbortSignal) => Promise<Connection>;
  readonly calls: OutsideCalls;
  /** How long connecting, and a sign of life of the server, may take; a sign of life counts as long. */
  readonly limitMs: number;
  readonly clock: Clock;
  /** Called when the cluster has become unavailable. */
  readonly onUnavailable: (error: ClusterUnavailableError) => void;
}

/** One connection, which may be under way. */
interface Line {
  readonly connection: Promise<Connection>;
  leases: number;
  retired: boolean;
  answeredAt: number;
  probing: Promise<void> | undefined;
}

/**
 * The way to one cluster. It connects at the first use. New work gets the current connection; one that was
 * replaced is closed when the work that uses it has ended. If the cluster doesn't answer, all work is refused at
 * once, until `recover` finds that it answers again.
 */
export class ClusterLink {
  readonly #options: ClusterLinkOptions;
  readonly #over = new AbortController();
  readonly #lines = new Set<Line>();
  #current: Line | undefined;
  #unavailable: ClusterUnavailableError | undefined;

  constructor(options: ClusterLinkOptions) {
    this.#options = options;
  }

  /** Rejects with ClusterUnavailableError, or with the reason of the signal. */
  async acquire(signal: AbortSignal): Promise<ConnectionLease> {
    if (this.#unavailable !== undefined) {
      throw this.#unavailable;
    }
    const line = this.#currentLine();
    line.leases += 1;
    let isLeased = true;
    const release = (): void => {
      line.leases -= isLeased ? 1 : 0;
      isLeased = false;
      this.#closeIfUnused(line);
    };
    try {
      const connection = await orAborted(this.#alive(line), signal);
      return { connection, [Symbol.dispose]: release };
    } catch (error) {
      release();
      if (line.retired && !this.#over.signal.aborted && !signal.aborted) {
        // It was replaced, perhaps just because it didn't work.
        return this.acquire(signal);
      }
      throw error;
    }
  }

  /** Tries once whether an unavailable cluster answers; resolves to whether it can be used. */
  async recover(signal: AbortSignal): Promise<boolean> {
    try {
      await orAborted(this.#alive(this.#currentLine()), signal);
      this.#unavailable = undefined;
      return true;
    } catch {
      return false;
    }
  }

  /** New work gets a new connection; the present one is closed when it's no longer used. */
  renew(): void {
    const line = this.#current;
    this.#current = undefined;
    this.#unavailable = undefined;
    if (line !== undefined) {
      this.#retire(line);
    }
  }

  /** Closes all connections, whatever uses them. */
  close(): void {
    this.#over.abort(new Error("the engine has ended"));
    this.#current = undefined;
    for (const line of this.#lines) {
      line.leases = 0;
      this.#retire(line);
    }
  }

  #currentLine(): Line {
    this.#current ??= this.#dial();
    return this.#current;
  }

  #dial(): Line {
    const { connect, calls, cluster, limitMs, clock } = this.#options;
    const { signal } = this.#over;
    const line: Line = {
      connection: calls.make(
        { what: `getting the credentials of cluster "${cluster}"`, limitMs, signal },
        connect,
      ),
      leases: 0,
      retired: false,
      answeredAt: clock.now() - limitMs,
      probing: undefined,
    };
    this.#lines.add(line);
    line.connection.catch(() => {
      this.#lines.delete(line);
      this.#current = this.#current === line ? undefined : this.#current;
    });
    return line;
  }

  /** The connection of a line whose server has answered a short while ago. */
  async #alive(line: Line): Promise<Connection> {
    try {
      const connection = await line.connection;
      const { clock, limitMs } = this.#options;
      if (clock.now() - line.answeredAt >= limitMs) {
        line.probing ??= this.#probe(line, connection).finally(() => {
          line.probing = undefined;
        });
        await line.probing;
      }
      return connection;
    } catch (error) {
      throw this.#failed(line, error);
    }
  }

  async #probe(line: Line, connection: Connection): Promise<void> {
    const { calls, limitMs, clock } = this.#options;
    const what = `an answer of ${connection.server}`;
    await calls.make({ what, limitMs, signal: this.#over.signal }, (ends) => connection.probe(ends));
    line.answeredAt = clock.now();
  }

  #failed(line: Line, cause: unknown): Error {
    const { cluster, onUnavailable } = this.#options;
    if (line.retired || this.#over.signal.aborted) {
      return new ClusterUnavailableError(cluster, cause);
    }
    const isNew = this.#unavailable === undefined;
    this.#unavailable = new ClusterUnavailableError(cluster, cause);
    if (isNew) {
      onUnavailable(this.#unavailable);
    }
    return this.#unavailable;
  }

  #retire(line: Line): void {
    line.retired = true;
    line.connection.then((connection) => connection.mute()).catch(() => undefined);
    this.#closeIfUnused(line);
  }

  #closeIfUnused(line: Line): void {
    if (!line.retired || line.leases > 0 || !this.#lines.delete(line)) {
      return;
    }
    const { calls, cluster } = this.#options;
    const what = `closing a connection to cluster "${cluster}"`;
    const { signal } = new AbortController();
    calls.make({ what, signal }, async () => (await line.connection).close()).catch(() => undefined);
  }
}
