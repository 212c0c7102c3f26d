import { type Clock, type Logger, toError } from "@weir/base";
import { Problem } from "../problem/problem.ts";
import { addAuditEntry, endAuditEntry, type NewAuditEntry } from "../store/audit.ts";
import type { Connection } from "../store/schema.ts";
import type { Actor } from "./actor.ts";
import type { AuditedCall, Auditor, AuditRecord, BegunCall } from "./auditor.ts";
import { attempt, type Bucket, type RateLimit } from "./bucket.ts";

/** What the audit log works with. */
export interface AuditLogOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A call at some point of it. */
type Written = AuditedCall & Pick<NewAuditEntry, "outcome">;

/**
 * How many entries about people who aren't logged in there may be: who floods the console fills neither the database nor
 * the log.
 */
const strangers: RateLimit = { burst: 200, perMs: 1_000 };

/** The audit log in the store. */
export class AuditLog implements Auditor {
  readonly #options: AuditLogOptions;
  #strangers: Bucket | undefined;
  /** How many entries there would have been since the last one about a stranger. */
  #omitted = 0;

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /** Of strangers, only what is done is certain to be in the log. */
  async begin(call: AuditedCall): Promise<BegunCall> {
    if (call.actor === undefined && !this.#hasRoom()) {
      return { end: (record) => this.record(record) };
    }
    const begun: Written = { ...call, outcome: "begun" };
    const omitted = this.#takeOmitted(begun);
    try {
      const id = await this.#add(begun, omitted);
      return { end: (record) => this.#end(id, record, omitted) };
    } catch (error) {
      this.#cannotWrite(begun, error);
      throw new Problem("unavailable", "This wasn't done, because the audit log can't be written.", {
        advice: "Try again in a while. If this goes on, look at the console's log, and at its database.",
        cause: error,
      });
    }
  }

  async record(record: AuditRecord): Promise<void> {
    if (record.actor === undefined && record.outcome !== "done" && !this.#hasRoom()) {
      this.#omitted += 1;
      return;
    }
    const omitted = this.#takeOmitted(record);
    await this.#add(record, omitted).catch((error: unknown) => this.#cannotWrite(record, error));
  }

  async #end(id: number, record: AuditRecord, omitted: number): Promise<void> {
    const { connection } = this.#options;
    try {
      if (!(await endAuditEntry(connection, id, entryOf(record, omitted)))) {
        await this.#add(record, omitted);
      }
    } catch (error) {
      this.#cannotWrite(record, error);
    }
  }

  async #add(written: Written, omitted: number): Promise<number> {
    const { connection, clock } = this.#options;
    try {
      return await addAuditEntry(connection, entryOf(written, omitted), clock.now());
    } catch (error) {
      this.#omitted += omitted;
      throw error;
    }
  }

  /** How many entries the next one about a stranger says were left out before it. */
  #takeOmitted({ actor }: Written): number {
    const omitted = actor === undefined ? this.#omitted : 0;
    this.#omitted -= omitted;
    return omitted;
  }

  #hasRoom(): boolean {
    const result = attempt(this.#strangers, strangers, this.#options.clock.now());
    this.#strangers = result.allowed ? result.bucket : this.#strangers;
    return result.allowed;
  }

  #cannotWrite({ action, outcome, subject, actor }: Written, error: unknown): void {
    this.#options.logger.log({
      warning: "cannot write to the audit log",
      ...{ action, outcome, subject, actor: nameOf(actor) },
      err: toError(error),
    });
  }
}

function entryOf({ actor, detail, ...rest }: Written, omitted: number): NewAuditEntry {
  return {
    ...rest,
    actorKind: actor?.kind ?? "user",
    actorId: actor?.userId ?? "",
    actorName: nameOf(actor),
    detail: omitted === 0 ? detail : { ...detail, omittedBefore: omitted },
  };
}

function nameOf(actor: Actor | undefined): string {
  if (actor === undefined) {
    return "";
  }
  return actor.tokenName === undefined ? actor.name : `${actor.name} (token ${actor.tokenName})`;
}
