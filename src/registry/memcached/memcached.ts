/**
 * A cache in memcached. Keys, values, and their distribution over servers are the same as in Flux v1, so Flux and Weir
 * can share a cache.
 */
import { type Clock, type Logger, messageOf } from "@weir/base";
import { ImageStoreAwayError } from "@weir/flux";
import { type CacheItem, type CacheStore, keptSeconds } from "../cache/store.ts";
import { Connection, MemcachedError } from "./connection.ts";
import { Outages } from "./outages.ts";
import { getCommand, type Reply, setCommand, versionCommand } from "./protocol.ts";
import { printAddress, type ServerAddress, serverOf } from "./servers.ts";

/** Where the servers are, and how long they can take. */
export interface MemcachedOptions {
  /** Finds the servers; called at the start and once a minute. */
  readonly findServers: () => Promise<readonly ServerAddress[]>;
  /** The time limit for one command, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const lookupIntervalMs = 60_000;

/** Items of Flux v1 start with their deadline, in seconds. */
const deadlineBytes = 4;

/**
 * Resolves when the servers are known and all of them respond. Rejects if there are none, or if one doesn't respond. If
 * a server fails later, that's logged once, and its commands reject with ImageStoreAwayError until it's back.
 */
export async function openMemcached(options: MemcachedOptions): Promise<CacheStore> {
  const store = new Memcached(options);
  try {
    await store.start();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

class Memcached implements CacheStore {
  readonly #options: MemcachedOptions;
  readonly #stop = new AbortController();
  readonly #outages: Outages;
  #servers: readonly ServerAddress[] = [];
  #connections: ReadonlyMap<string, Connection> = new Map();
  #following: Promise<void> = Promise.resolve();

  constructor(options: MemcachedOptions) {
    this.#options = options;
    this.#outages = new Outages(options.logger);
  }

  async start(): Promise<void> {
    await this.#findServers();
    await Promise.all([...this.#connections].map(([server, connection]) => greet(server, connection)));
    this.#following = this.#follow(this.#stop.signal);
  }

  async get(key: string): Promise<CacheItem | undefined> {
    const reply = await this.#send(key, getCommand(key));
    if (reply.kind === "value") {
      return decode(reply.data);
    }
    if (reply.text !== "END") {
      throw this.#refusal(key, reply.text);
    }
    return undefined;
  }

  async set(key: string, { value, deadline }: CacheItem): Promise<void> {
    const seconds = keptSeconds(deadline, this.#options.clock.now());
    const reply = await this.#send(key, setCommand(key, seconds, encode(value, deadline)));
    if (reply.kind !== "line" || reply.text !== "STORED") {
      throw this.#refusal(key, reply.kind === "line" ? reply.text : "an unexpected value");
    }
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error("the cache is closed"));
    await this.#following;
    this.#connections.forEach((connection) => connection.close());
  }

  async #send(key: string, command: Uint8Array): Promise<Reply> {
    const { server, connection } = this.#connectionOf(key);
    try {
      const reply = await this.#sendTwice(connection, command, key);
      this.#outages.answered(server);
      return reply;
    } catch (error) {
      if (!this.#stop.signal.aborted) {
        this.#outages.failed(server, error);
      }
      throw new ImageStoreAwayError(messageOf(error), { cause: error });
    }
  }

  /** A broken connection, which is normal after a server restart, is worth another try. */
  #sendTwice(connection: Connection, command: Uint8Array, key: string): Promise<Reply> {
    return connection.send(command, key).catch((error: unknown) => {
      if (error instanceof MemcachedError && error.failure === "broken" && !this.#stop.signal.aborted) {
        return connection.send(command, key);
      }
      throw error;
    });
  }

  #connectionOf(key: string): { readonly server: string; readonly connection: Connection } {
    const address = serverOf(key, this.#servers);
    const server = address && printAddress(address);
    const connection = server && this.#connections.get(server);
    if (!connection) {
      throw noServer();
    }
    return { server, connection };
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const pause = (): Promise<boolean> =>
      clock.sleep(lookupIntervalMs, signal).then(
        () => true,
        () => false,
      );
    while (await pause()) {
      await this.#findServers().catch((error: unknown) => {
        logger.log({ err: `error updating memcache servers: ${messageOf(error)}` });
      });
    }
  }

  async #findServers(): Promise<void> {
    const { findServers, timeoutMs, clock } = this.#options;
    const servers = await findServers();
    if (servers.length === 0) {
      throw noServer();
    }
    const before = this.#connections;
    this.#servers = servers;
    this.#connections = new Map(
      servers.map((server) => {
        const name = printAddress(server);
        return [name, before.get(name) ?? new Connection(server, timeoutMs, clock)];
      }),
    );
    before.forEach((connection, name) => {
      if (!this.#connections.has(name)) {
        connection.close();
        this.#outages.forget(name);
      }
    });
  }

  #refusal(key: string, text: string): MemcachedError {
    const server = serverOf(key, this.#servers);
    const remedy = /too large/.test(text) ? "; allow larger items with memcached's option -I" : "";
    const name = server ? printAddress(server) : "no server";
    return new MemcachedError({ server: name, failure: "refused", why: `${text} (${key})${remedy}` });
  }
}

function noServer(): MemcachedError {
  return new MemcachedError({ server: "unknown address", failure: "broken", why: "no server was found" });
}

/** Makes sure that the server is memcached. */
async function greet(server: string, connection: Connection): Promise<void> {
  const reply = await connection.send(versionCommand);
  if (reply.kind !== "line" || !reply.text.startsWith("VERSION")) {
    throw new MemcachedError({ server, failure: "refused", why: "the server isn't memcached" });
  }
}

function encode(value: string, deadline: number): Buffer {
  const head = Buffer.alloc(deadlineBytes);
  head.writeUInt32BE(Math.floor(deadline / 1000) >>> 0);
  return Buffer.concat([head, Buffer.from(value)]);
}

/** A value that's too short wasn't written by Flux or Weir. */
function decode(data: Buffer): CacheItem | undefined {
  return data.length < deadlineBytes
    ? undefined
    : { value: data.toString("utf8", deadlineBytes), deadline: data.readUInt32BE() * 1000 };
}
