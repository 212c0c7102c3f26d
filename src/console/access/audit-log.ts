import { type Clock, type Logger, toError } from "@weir/base";
import { addAuditEntry, type NewAuditEntry } from "../store/audit.ts";
import type { Connection } from "../store/schema.ts";
import type { Actor } from "./actor.ts";
import type { Auditor, AuditRecord } from "./auditor.ts";
import { attempt, type Bucket, type RateLimit } from "./bucket.ts";

/** What the audit log works with. */
export interface AuditLogOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly logger: Logger;
}

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

  async record(record: AuditRecord): Promise<void> {
    const { connection, clock, logger } = this.#options;
    const now = clock.now();
    if (!this.#hasRoom(record, now)) {
      this.#omitted += 1;
      return;
    }
    const omitted = record.actor === undefined ? this.#omitted : 0;
    this.#omitted -= omitted;
    try {
      await addAuditEntry(connection, entryOf(record, omitted), now);
    } catch (error) {
      const { action, outcome, subject } = record;
      logger.log({
        warning: "cannot write to the audit log",
        ...{ action, outcome, subject, actor: nameOf(record.actor) },
        err: toError(error),
      });
    }
  }

  #hasRoom({ actor, outcome }: AuditRecord, now: number): boolean {
    if (actor !== undefined || outcome === "done") {
      return true;
    }
    const result = attempt(this.#strangers, strangers, now);
    this.#strangers = result.allowed ? result.bucket : this.#strangers;
    return result.allowed;
  }
}

function entryOf({ actor, detail, ...rest }: AuditRecord, omitted: number): NewAuditEntry {
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
