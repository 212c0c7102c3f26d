import type { JsonObject } from "@weir/base";
import type { Actor } from "./actor.ts";

/** What somebody did through an API of the console, or tried to do. It contains no secret, and no body of a request. */
export interface AuditRecord {
  /** Undefined for somebody who isn't logged in. */
  readonly actor: Actor | undefined;
  /** The name of the operation, such as `createJob`. */
  readonly action: string;
  /** "refused" for who may not do it, or not so often; "failed" for what couldn't be done. */
  readonly outcome: "done" | "refused" | "failed";
  readonly instanceId: string | null;
  readonly namespace: string | null;
  /** What it was done to; "" if the action says it all. */
  readonly subject: string;
  readonly detail: JsonObject;
  /** Of the client. */
  readonly address: string;
}

/** Writes down what is done through the console's APIs. */
export interface Auditor {
  /** Never rejects: what was done isn't undone because it couldn't be written down. */
  record(record: AuditRecord): Promise<void>;
}
