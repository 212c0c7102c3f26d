import type { JsonObject } from "@weir/base";
import type { Actor } from "../access/actor.ts";
import type { OperationName, PathParameters, routes } from "../contract/routes.ts";
import type { Answer, Body, Query } from "../contract/schemas.ts";

/** Where a request comes from. */
export interface Origin {
  /** The address of the client, behind proxies that are trusted. */
  readonly address: string;
  readonly userAgent: string;
}

/** What the audit log says of a call in addition: no secrets, and no texts that could contain one. */
export interface AuditNote {
  /** Who it was, where nobody was logged in before. */
  readonly actor?: Actor;
  readonly instanceId?: string;
  readonly namespace?: string;
  /** What it was done to, such as a login or a workload; the IDs in the path without it. */
  readonly subject?: string;
  readonly detail?: JsonObject;
}

/** A request that was checked: its sender may call the operation, and everything in it has the right form. */
export interface Call<Name extends OperationName> {
  /** Undefined only for operations that need nobody. */
  readonly actor: NeedsActor<Name> extends true ? Actor : Actor | undefined;
  readonly path: PathParameters<Name>;
  readonly query: Query<Name>;
  readonly body: Body<Name>;
  readonly origin: Origin;
  /** Gives the caller the secret of a session to keep or, with undefined, takes it away. */
  readonly setSession: (secret: string | undefined) => void;
  /** Adds to what the audit log says of the call once it's over; those that only read aren't in it. */
  readonly audit: (note: AuditNote) => void;
  /** Aborted when the client goes away, or the console stops. */
  readonly signal: AbortSignal;
}

type NeedsActor<Name extends OperationName> = (typeof routes)[Name]["needs"] extends "nobody" ? false : true;

/** Does what an operation is for. Rejects with a Problem for what the caller should know. */
export type Handler<Name extends OperationName> = (call: Call<Name>) => Promise<Answer<Name>>;

/** A handler for each operation. */
export type Handlers = { readonly [Name in OperationName]: Handler<Name> };
