/** What a webhook is: a request of some service, from which follows what to look at. Values only. */
import type { JWTVerifyGetKey } from "jose";
import type { Change } from "../api/types/api-server.ts";

/** A request, read to its end. */
export interface Hook {
  /** A header by its name in any case; "" where there is none. */
  readonly header: (name: string) => string;
  readonly body: Buffer;
}

/** Whose requests are expected at a URL, and how they show that they are theirs. */
export interface HookEndpoint {
  /** The name of the source, as in the configuration. */
  readonly name: string;
  readonly source: HookSource;
  /** The shared secret, in each form that senders make of the file: as it is, and without the line break at its end. */
  readonly keys: readonly Uint8Array[];
  /** The host that workloads know the registry by, where the sender does not tell; "" for none. */
  readonly registryHost: string;
  /** True where requests without a signature are refused also of a service that need not sign. */
  readonly signed: boolean;
  /** Whose tokens Google's requests must bear; undefined where they bear none. */
  readonly google?: GoogleIdentity;
  /** The SNS topic whose messages count; "" where none do. */
  readonly topicArn: string;
}

/** What Google's tokens must say. */
export interface GoogleIdentity {
  readonly audience: string;
  /** The service account of the subscription; "" for any, and any Google user can make a subscription. */
  readonly email: string;
}

/** A service that sends webhooks. */
export interface HookSource {
  /** How long its requests may be, in bytes. */
  readonly maxBody: number;
  /** False where nothing but the URL says that a request is the service's. */
  readonly proves: (endpoint: HookEndpoint) => boolean;
  /** How to have it prove more, where that can be had. */
  readonly remedy?: string;
  /** Throws HookRefusedError where a request does not show that it is the service's. */
  readonly verify: (hook: Hook, endpoint: HookEndpoint, trust: Trust) => void | Promise<void>;
  /**
   * What follows from a request that was verified; nothing where it is about something else. Throws
   * HookRefusedError, or JsonShapeError or InvalidImageRefError, where it cannot be read.
   */
  readonly read: (hook: Hook, endpoint: HookEndpoint) => readonly HookAction[];
}

/** What is to be done. */
export type HookAction =
  | Change
  /** Asks for the URL, which tells the sender that its messages are wanted. */
  | { readonly kind: "confirm"; readonly url: URL };

/** The public keys of those who sign with one, and the time at which they do. */
export interface Trust {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly googleKey: JWTVerifyGetKey;
  /** A certificate of Amazon SNS in PEM, from a URL of its. */
  readonly snsCertificate: (url: URL) => Promise<string>;
}

/** Why a request is refused: it is not the service's, cannot be read, or cannot be verified just now. */
export type Refusal = "unauthorized" | "malformed" | "unavailable";

/** A request is refused. The message is for the log, and quotes nothing of the request; the sender is not told. */
export class HookRefusedError extends Error {
  override readonly name = "HookRefusedError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.refusal = refusal;
  }
}
