import {
  type Clock,
  callAll,
  type JsonValue,
  Listeners,
  type Logger,
  toError,
  type Unsubscribe,
} from "@weir/base";
import * as z from "zod";
import { addPayload, findPayload, notify } from "../store/bus-payloads.ts";
import type { Database } from "../store/database.ts";
import type { Connection } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";

/** The channel of PostgreSQL that all messages of consoles share. */
const channel = "weir_console";

type Handler = (message: JsonValue) => void;

/**
 * Messages between all consoles that use one database, this one included. A message says "look again", or asks for
 * something that can be asked for again: it can be lost while a console isn't connected to the database, but then that
 * console learns of the gap. Messages of one sender arrive in order.
 */
export interface Bus {
  /** Sends a message to everyone who is subscribed to the topic: at once, or when the transaction is committed. */
  publish(topic: string, message: JsonValue, transaction?: Connection): Promise<void>;
  /** Calls a handler for each message of a topic. */
  subscribe(topic: string, handler: Handler): Unsubscribe;
  /** Calls a handler each time when messages may have been missed: when the bus has begun to listen, again or at first. */
  onGap(handler: () => void): Unsubscribe;
}

/** What a bus works with. */
export interface BusOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The bus of a console, over the notifications of PostgreSQL. */
export class DatabaseBus implements Bus {
  readonly #options: BusOptions;
  readonly #topics = new Map<string, Listeners<Handler>>();
  readonly #gaps = new Listeners<() => void>();
  /** Messages are delivered one after the other, even if some have to be read first. */
  #delivered: Promise<void> = Promise.resolve();

  constructor(options: BusOptions) {
    this.#options = options;
  }

  async publish(
    topic: string,
    message: JsonValue,
    connection: Connection = this.#options.database.connection,
  ): Promise<void> {
    const payload = printEnvelope({ kind: "inline", topic, message });
    if (Buffer.byteLength(payload) <= longestPayload) {
      await notify(connection, { channel, payload });
      return;
    }
    await inTransaction(connection, async (transaction) => {
      const id = await addPayload(transaction, JSON.stringify(message), this.#options.clock.now());
      await notify(transaction, { channel, payload: printEnvelope({ kind: "stored", topic, id }) });
    });
  }

  subscribe(topic: string, handler: Handler): Unsubscribe {
    const handlers = this.#topics.get(topic) ?? new Listeners<Handler>();
    this.#topics.set(topic, handlers);
    const remove = handlers.add(handler);
    return () => {
      remove();
      if ([...handlers].length === 0 && this.#topics.get(topic) === handlers) {
        this.#topics.delete(topic);
      }
    };
  }

  onGap(handler: () => void): Unsubscribe {
    return this.#gaps.add(handler);
  }

  /** Delivers messages until it's aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#options;
    const message = (payload: string): void => this.#enqueue(() => this.#deliver(payload));
    const begun = (): void => this.#enqueue(() => callAll(this.#gaps));
    await database.listen({ channel, message, begun, clock }, signal);
    await this.#delivered;
  }

  #enqueue(deliver: () => Promise<void> | void): void {
    this.#delivered = this.#delivered.then(deliver).catch((error: unknown) => {
      this.#options.log.log({
        component: "bus",
        warning: "a message was not delivered",
        err: toError(error),
      });
    });
  }

  async #deliver(payload: string): Promise<void> {
    const envelope = readEnvelope(payload);
    const handlers = this.#topics.get(envelope.topic);
    if (handlers === undefined) {
      return;
    }
    const message = await this.#messageOf(envelope);
    if (message === undefined) {
      callAll(this.#gaps);
      return;
    }
    for (const handler of handlers) {
      handler(message);
    }
  }

  /** Undefined if the message is gone. */
  async #messageOf(envelope: Envelope): Promise<JsonValue | undefined> {
    if (envelope.kind === "inline") {
      return envelope.message;
    }
    const body = await findPayload(this.#options.database.connection, envelope.id);
    return body === undefined ? undefined : (JSON.parse(body) as JsonValue);
  }
}

/** The most bytes of a payload: PostgreSQL accepts fewer than 8,000. */
const longestPayload = 7_900;

/** What a notification carries: a message of a topic, or the row that has it. */
type Envelope =
  | { readonly kind: "inline"; readonly topic: string; readonly message: JsonValue }
  | { readonly kind: "stored"; readonly topic: string; readonly id: number };

const envelopes = z.union([
  z.object({ kind: z.literal("inline"), topic: z.string(), message: z.json() }),
  z.object({ kind: z.literal("stored"), topic: z.string(), id: z.number().int() }),
]);

/** An envelope as text without NUL, which JSON escapes. */
function printEnvelope(envelope: Envelope): string {
  return JSON.stringify(envelope);
}

/** Reads what `printEnvelope` prints. Throws a SyntaxError or ZodError for anything else, which others can send. */
function readEnvelope(text: string): Envelope {
  return envelopes.parse(JSON.parse(text));
}
