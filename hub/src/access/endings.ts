import { type Clock, isJsonObject, type JsonValue, Wake } from "@weir/base";
import type { Bus } from "../bus/bus.ts";
import type { Connection } from "../store/schema.ts";
import type { Actor } from "./actor.ts";
import { actorOfSession, actorOfToken } from "./credentials.ts";

/** Something changed about who may do what: {"userId"}, or null for anybody. */
const topic = "access";

/** How often to look even if nobody said that anything changed, in milliseconds: a database can be restored. */
const interval = 300_000;

/** What is needed to notice that somebody may do less, or other things. */
export interface EndingsOptions {
  readonly connection: Connection;
  readonly bus: Bus;
  readonly clock: Clock;
}

/** Tells all consoles when sessions and tokens end and roles change, and lets those who serve somebody wait for it. */
export class Endings {
  readonly #options: EndingsOptions;

  constructor(options: EndingsOptions) {
    this.#options = options;
  }

  /** Says that something changed about a user, or about anybody for null; in the transaction that changes it. */
  async announce(transaction: Connection, userId: string | null): Promise<void> {
    await this.#options.bus.publish(topic, { userId }, transaction);
  }

  /**
   * Resolves when the actor's session or token has ended or expired, the user is disabled, or their roles are others;
   * also if that can't be found out. Rejects with the signal's reason.
   */
  async ended(actor: Actor, signal: AbortSignal): Promise<void> {
    const { bus, clock } = this.#options;
    const wake = new Wake();
    const stop = [
      bus.subscribe(topic, (message) => (concerns(message, actor) ? wake.wake() : undefined)),
      bus.onGap(() => wake.wake()),
    ];
    try {
      for (;;) {
        const until = await this.#holdsUntil(actor);
        if (until === undefined) {
          return;
        }
        await wokenWithin(Math.min(interval, Math.max(1, until - clock.now())), { clock, wake }, signal);
      }
    } finally {
      stop.forEach((each) => each());
    }
  }

  /** Until when the actor may do the same, in milliseconds; undefined if they may do nothing or other things now. */
  async #holdsUntil(actor: Actor): Promise<number | undefined> {
    const { connection, clock } = this.#options;
    const find = actor.kind === "user" ? actorOfSession : actorOfToken;
    try {
      const found = await find(connection, { id: actor.credentialId }, clock.now());
      return found !== undefined && hasSameGrants(found.actor, actor) ? found.holdsUntil : undefined;
    } catch {
      return undefined;
    }
  }
}

function concerns(message: JsonValue, { userId }: Actor): boolean {
  const concerned = isJsonObject(message) ? message["userId"] : null;
  return concerned === null || concerned === userId;
}

async function wokenWithin(
  ms: number,
  { clock, wake }: { readonly clock: Clock; readonly wake: Wake },
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    await Promise.race([wake.wait(either), clock.sleep(ms, either)]);
  } finally {
    over.abort();
  }
}

function hasSameGrants(one: Actor, other: Actor): boolean {
  return JSON.stringify(one.grants) === JSON.stringify(other.grants);
}
