import type { JsonObject } from "@weir/base";
import type { Actor } from "./actor.ts";

/** What somebody does through an API of the console. It contains no secret, and no body of a request. */
export interface AuditedCall {
  /** Undefined for somebody who isn't logged in. */
  readonly actor: Actor | undefined;
  /** The name of the operation, such as `createJob`. */
  readonly action: string;
  readonly instanceId: string | null;
  readonly namespace: string | null;
  /** What it's done to; "" if the action says it all. */
  readonly subject: string;
  readonly detail: JsonObject;
  /** Of the client. */
  readonly address: string;
}

/** The same once it's over. */
export interface AuditRecord extends AuditedCall {
  /** "refused" for who may not do it, or not so often; "failed" for what couldn't be done. */
  readonly outcome: "done" | "refused" | "failed";
}

/** A call that is in the audit log, and may be done. */
export interface BegunCall {
  /** Says how it ended, and what is known of it by then. Never rejects: what was done isn't undone because of that. */
  end(record: AuditRecord): Promise<void>;
}

/** Writes down what is done through the console's APIs. */
export interface Auditor {
  /**
   * Writes down that a call begins, before it changes anything: even if the console dies, what it did isn't unknown.
   * Rejects with a Problem if that can't be written; then the call must not be done.
   */
  begin(call: AuditedCall): Promise<BegunCall>;
  /** Writes down a call that never began, such as one that wasn't permitted. Never rejects. */
  record(record: AuditRecord): Promise<void>;
}
