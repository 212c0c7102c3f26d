import { connect, type Socket } from "node:net";
import { Alarm, type Clock, messageOf } from "@weir/base";
import { ProtocolError, type Reply, ReplyReader } from "./protocol.ts";
import { printAddress, type ServerAddress } from "./servers.ts";

/**
 * What went wrong with a server: it `refused` the command, it was `silent` for too long, or the connection is `broken`,
 * so that a new one may work.
 */
export type MemcachedFailure = "refused" | "silent" | "broken";

/** A server and what went wrong with it. */
export interface ServerFailure {
  /** "host:port". */
  readonly server: string;
  readonly failure: MemcachedFailure;
  readonly why: string;
}

interface Waiting {
  /** The key whose value is expected in the reply. */
  readonly key: string | undefined;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
  readonly since: number;
}

/**
 * A connection to one server, opened when it's needed. Commands are sent without waiting for earlier replies, which
 * arrive in the same order.
 */
export class Connection {
  readonly #server: ServerAddress;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #watch: Alarm;
  #waiting: Waiting[] = [];
  #socket: Socket | undefined;
  #isWatched = false;
  #heardAt = -Infinity;

  constructor(server: ServerAddress, timeoutMs: number, clock: Clock) {
    this.#server = server;
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
    this.#watch = new Alarm(clock, () => this.#look());
  }

  /**
   * Sends a command; a value in the reply must belong to the key. Rejects with MemcachedError if the connection breaks
   * or no reply arrives in time.
   */
  send(command: Uint8Array, key?: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject, since: this.#clock.now() });
      this.#write(command);
      if (!this.#isWatched) {
        this.#isWatched = true;
        this.#watch.set(this.#timeoutMs);
      }
    });
  }

  /** Closes the connection and rejects all commands that wait for a reply. */
  close(): void {
    this.#break(this.#socket, "silent", "the connection is closed");
  }

  /** Commands from the same turn of the event loop are sent together, since each write wakes the server. */
  #write(command: Uint8Array): void {
    const socket = (this.#socket ??= this.#connect());
    if (socket.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    socket.write(command);
  }

  #connect(): Socket {
    const socket = connect({ ...this.#server, noDelay: true, keepAlive: true });
    const reader = new ReplyReader();
    socket.on("data", (chunk) => this.#receive(socket, reader, chunk));
    socket.on("error", (error) => this.#break(socket, "broken", messageOf(error) || "cannot connect", error));
    socket.on("close", () => this.#break(socket, "broken", "the server closed the connection"));
    return socket;
  }

  #receive(socket: Socket, reader: ReplyReader, chunk: Buffer): void {
    this.#heardAt = this.#clock.now();
    try {
      for (const reply of reader.push(chunk)) {
        if (reply.kind === "value" && reply.key !== this.#waiting[0]?.key) {
          throw new ProtocolError("the server responded with the value of another key");
        }
        this.#waiting.shift()?.resolve(reply);
      }
    } catch (error) {
      this.#break(socket, "broken", messageOf(error), error);
    }
  }

  /**
   * Checks the command that has waited longest. A server that sends anything isn't silent, since many commands can take
   * a long time. Neither is one whose bytes have arrived but weren't read yet because this process was busy.
   */
  #look(): void {
    const left = this.#timeLeft();
    this.#isWatched = left !== undefined;
    if (left === undefined) {
      return;
    }
    if (left > 0) {
      this.#watch.set(left);
      return;
    }
    const socket = this.#socket;
    afterReading(() => {
      if ((this.#timeLeft() ?? 1) > 0) {
        this.#look();
      } else {
        this.#break(socket, "silent", `no response within ${this.#timeoutMs / 1000} s`);
      }
    });
  }

  /** The time until the server counts as silent; undefined if no command is waiting. */
  #timeLeft(): number | undefined {
    const [oldest] = this.#waiting;
    return oldest && Math.max(oldest.since, this.#heardAt) + this.#timeoutMs - this.#clock.now();
  }

  #break(socket: Socket | undefined, failure: MemcachedFailure, why: string, cause?: unknown): void {
    if (socket === undefined || socket !== this.#socket) {
      return;
    }
    this.#socket = undefined;
    this.#isWatched = false;
    this.#watch.clear();
    const waiting = this.#waiting;
    this.#waiting = [];
    socket.destroy();
    const error = new MemcachedError({ server: printAddress(this.#server), failure, why }, { cause });
    waiting.forEach(({ reject }) => reject(error));
  }
}

/** A memcached server didn't execute a command. */
export class MemcachedError extends Error {
  override readonly name = "MemcachedError";
  /** "host:port". */
  readonly server: string;
  readonly failure: MemcachedFailure;

  constructor({ server, failure, why }: ServerFailure, options?: ErrorOptions) {
    super(`memcached at ${server}: ${why}`, options);
    this.server = server;
    this.failure = failure;
  }
}

/** Calls back after all sockets were read again, which Node does between two of these turns. */
function afterReading(callback: () => void): void {
  setImmediate(() => setImmediate(callback));
}
