/** Types for webhooks: a request from a service, and the actions that follow from it. */

import type { Change } from "@weir/flux/api";
import type { JWTVerifyGetKey } from "jose";

/** A request with its whole body. */
export interface Hook {
  /** A header by its name in any case; "" if it's missing. */
  readonly header: (name: string) => string;
  readonly body: Buffer;
}

/** The sender that's expected at a URL, and how it authenticates its requests. */
export interface HookEndpoint {
  /** The name of the source in the configuration. */
  readonly name: string;
  readonly source: HookSource;
  /**
   * The shared secret, in each form that senders may read from the file: as it is, and without the line break at its
   * end.
   */
  readonly keys: readonly Uint8Array[];
  /** The host that workloads use for the registry, if the sender doesn't send it; "" if not set. */
  readonly registryHost: string;
  /** True to refuse unsigned requests even from a service that needn't sign them. */
  readonly signed: boolean;
  /** What the tokens in Google's requests must contain; undefined if they have none. */
  readonly google?: GoogleIdentity;
  /** The SNS topic to accept messages from; "" to accept none. */
  readonly topicArn: string;
}

/** What Google's tokens must contain. */
export interface GoogleIdentity {
  readonly audience: string;
  /** The service account of the subscription; "" for any, which includes a subscription of any Google user. */
  readonly email: string;
}

/** A service that sends webhooks. */
export interface HookSource {
  /** The maximum size of its requests, in bytes. */
  readonly maxBody: number;
  /** False if only the secret URL shows that a request is from the service. */
  readonly proves: (endpoint: HookEndpoint) => boolean;
  /** How to authenticate requests better, if that's possible. */
  readonly remedy?: string;
  /** Throws HookRefusedError if a request isn't proven to be from the service. */
  readonly verify: (hook: Hook, endpoint: HookEndpoint, trust: Trust) => void | Promise<void>;
  /**
   * The actions that follow from a verified request; none if it's about something else. Throws HookRefusedError,
   * JsonShapeError, or InvalidImageRefError if it can't be parsed.
   */
  readonly read: (hook: Hook, endpoint: HookEndpoint) => readonly HookAction[];
}

/** An action that follows from a request. */
export type HookAction =
  | Change
  /** Requests the URL, which confirms to the sender that its messages are wanted. */
  | { readonly kind: "confirm"; readonly url: URL };

/** The public keys of senders that sign with one, and the current time. */
export interface Trust {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly googleKey: JWTVerifyGetKey;
  /** A certificate of Amazon SNS in PEM format, from one of its URLs. */
  readonly snsCertificate: (url: URL) => Promise<string>;
}

/** Why a request is refused: it isn't authentic, can't be parsed, or can't be verified at the moment. */
export type Refusal = "unauthorized" | "malformed" | "unavailable";

/** A request is refused. The message is for the log and quotes nothing from the request; the sender doesn't get it. */
export class HookRefusedError extends Error {
  override readonly name = "HookRefusedError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.refusal = refusal;
  }
}
