import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@weir/base";
import { Problem } from "../problem/problem.ts";
import { type ApiToken, touchApiToken } from "../store/api-tokens.ts";
import type { Connection } from "../store/schema.ts";
import { hashOfSecret } from "../store/secret-hash.ts";
import { type Session, touchSession } from "../store/sessions.ts";
import type { Actor } from "./actor.ts";
import { type ClientAddresses, networkOf } from "./client-address.ts";
import { type CookieScope, readCookie, sessionCookie, sessionCookieName } from "./cookies.ts";
import { actorOfSession, actorOfToken } from "./credentials.ts";
import { checkNotForged, csrfToken } from "./forgery.ts";
import type { Limiter } from "./limits.ts";
import { isSecret } from "./secrets.ts";
import { expiryOf, type OwnSession, type SessionLimits } from "./sessions.ts";

/** How old the note of the last use may be, in milliseconds: it isn't written at each request. */
const freshness = 60_000;

/** What the gate needs. */
export interface GateOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly addresses: ClientAddresses;
  readonly cookies: CookieScope;
  readonly limiter: Limiter;
  readonly sessionLimits: SessionLimits;
}

/** Finds out who sends a request: a browser with the cookie of a session, or a program with a token. */
export class AccessGate {
  readonly #options: GateOptions;
  /** By the actors that `identify` has returned; secrets don't go with an actor wherever it goes. */
  readonly #sessions = new WeakMap<Actor, OwnSession>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /**
   * Who sends a request; undefined for nobody, also if their session is over. Rejects with a Problem if a token doesn't
   * work, if a browser was made to send a change by another site, or if there were too many requests.
   */
  async identify(request: IncomingMessage): Promise<Actor | undefined> {
    const found = await this.#find(request).catch((error: unknown) => {
      this.#count(undefined, request);
      throw error;
    });
    this.#count(found, request);
    return found;
  }

  /** The session of an actor whom `identify` has returned; undefined for a token. */
  sessionOf(actor: Actor): OwnSession | undefined {
    return this.#sessions.get(actor);
  }

  /** The token with a secret, and who has it; undefined if it doesn't work. Its use is noted. */
  async tokenOf(secret: string): Promise<{ readonly actor: Actor; readonly token: ApiToken } | undefined> {
    const { connection, clock } = this.#options;
    const now = clock.now();
    const found = isSecret("token", secret)
      ? await actorOfToken(connection, { tokenHash: hashOfSecret(secret) }, now)
      : undefined;
    const usedAt = found?.token.lastUsedAt?.getTime() ?? 0;
    if (found !== undefined && now - usedAt >= freshness) {
      await touchApiToken(connection, found.token.id, now);
    }
    return found;
  }

  /** Where a request comes from. */
  origin(request: IncomingMessage): { readonly address: string; readonly userAgent: string } {
    return {
      address: this.#options.addresses.of(request),
      userAgent: request.headers["user-agent"] ?? "",
    };
  }

  /** Sets or, with undefined, removes the cookie of a session. */
  setSession(_request: IncomingMessage, response: ServerResponse, secret: string | undefined): void {
    response.appendHeader("Set-Cookie", sessionCookie(secret, this.#options.cookies));
  }

  async #find(request: IncomingMessage): Promise<Actor | undefined> {
    const { authorization } = request.headers;
    return authorization === undefined ? this.#byCookie(request) : this.#byToken(authorization);
  }

  #count(actor: Actor | undefined, request: IncomingMessage): void {
    const { limiter, addresses } = this.#options;
    limiter.countRequest(actor?.credentialId ?? networkOf(addresses.of(request)));
  }

  async #byCookie(request: IncomingMessage): Promise<Actor | undefined> {
    const { connection, clock, cookies } = this.#options;
    const secret = readCookie(request.headers.cookie, sessionCookieName(cookies)) ?? "";
    const found = isSecret("session", secret)
      ? await actorOfSession(connection, { tokenHash: hashOfSecret(secret) }, clock.now())
      : undefined;
    const token = found === undefined ? undefined : csrfToken(secret);
    checkNotForged({ method: request.method ?? "", headers: request.headers }, token);
    if (found === undefined || token === undefined) {
      return undefined;
    }
    const expiresAt = await this.#touch(found.session);
    this.#sessions.set(found.actor, {
      actor: found.actor,
      secret,
      csrfToken: token,
      expiresAt,
      method: found.session.method,
    });
    return found.actor;
  }

  /** Notes the use of a session, if the last note is old; resolves to when the session expires. */
  async #touch(session: Session): Promise<number> {
    const { connection, clock, sessionLimits } = this.#options;
    const now = clock.now();
    if (now - session.lastUsedAt.getTime() < freshness) {
      return session.expiresAt.getTime();
    }
    const expiresAt = expiryOf(session, sessionLimits, now);
    await touchSession(connection, { id: session.id, expiresAt: new Date(expiresAt) }, now);
    return expiresAt;
  }

  async #byToken(authorization: string): Promise<Actor> {
    const found = await this.tokenOf(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "");
    if (found === undefined) {
      throw new Problem("unauthenticated", "The token doesn't work.", {
        advice: "It may have expired or been ended: make another one in the console, under your account.",
      });
    }
    return found.actor;
  }
}
