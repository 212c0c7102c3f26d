import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Clock, type Logger, toError } from "@weir/base";
import { isRefusal, Problem, type ProblemKind } from "../../problem/problem.ts";
import { addOidcLogin, takeOidcLogin } from "../../store/oidc-logins.ts";
import type { Connection } from "../../store/schema.ts";
import { hashOfSecret } from "../../store/secret-hash.ts";
import type { Actor } from "../actor.ts";
import type { AuditedCall, Auditor, AuditRecord } from "../auditor.ts";
import { networkOf } from "../client-address.ts";
import { type CookieScope, loginCookie, loginCookieName, readCookie } from "../cookies.ts";
import type { Endings } from "../endings.ts";
import type { AccessGate } from "../gate.ts";
import type { Limiter } from "../limits.ts";
import { recorded } from "../recorded.ts";
import { derivedSecret, isSecret, newSecret } from "../secrets.ts";
import type { Sessions } from "../sessions.ts";
import { pathBack } from "./back.ts";
import { letIn } from "./people.ts";
import {
  type LoginProofs,
  type OpenIdOptions,
  type OpenIdPerson,
  OpenIdProvider,
  ProviderError,
} from "./provider.ts";

/** The paths on the console's site, outside of the REST API. */
export const openIdPaths = {
  start: "/auth/openid/start",
  callback: "/auth/openid/callback",
  logout: "/auth/openid/logout",
} as const;

/** For how long somebody may take to log in at the provider, in milliseconds. */
const patience = 600_000;

/** What logins at an identity provider need. */
export interface OpenIdLoginOptions {
  readonly openId: OpenIdOptions;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly publicUrl: URL;
  readonly cookies: CookieScope;
  readonly gate: AccessGate;
  readonly limiter: Limiter;
  readonly sessions: Sessions;
  readonly endings: Endings;
  readonly auditor: Auditor;
}

/** Why a login failed, as the login page is told. */
type LoginProblem = "expired" | "denied" | "disabled" | "too-many" | "unavailable" | "failed";

const problems: Partial<Record<ProblemKind, LoginProblem>> = {
  unauthenticated: "expired",
  forbidden: "disabled",
  "too-many": "too-many",
};

/**
 * Logs people in at an identity provider: by the code flow with PKCE, state, and nonce. What the flow needs in secret
 * follows from a cookie, so only the browser that began can end it, once.
 */
export class OpenIdLogin {
  readonly #options: OpenIdLoginOptions;
  readonly #provider: OpenIdProvider;

  /** Throws OpenIdOptionsError. */
  constructor(options: OpenIdLoginOptions) {
    this.#options = options;
    this.#provider = new OpenIdProvider(options.openId, new URL(openIdPaths.callback, options.publicUrl));
  }

  /** What the provider is called, and where the login begins. */
  get description(): { readonly name: string; readonly path: string } {
    return { name: this.#options.openId.name, path: openIdPaths.start };
  }

  /** Answers requests for its paths, and leaves others to what follows. */
  handle(request: IncomingMessage, response: ServerResponse, next: () => void): void {
    const { pathname, searchParams } = new URL(`http://console${request.url ?? "/"}`);
    const answer = this.#answerAt(pathname);
    if (answer === undefined) {
      next();
      return;
    }
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("Referrer-Policy", "no-referrer");
    if (request.method !== "GET") {
      response
        .writeHead(405, { "Content-Type": "text/plain; charset=utf-8" })
        .end("405 method not allowed\n");
      return;
    }
    void answer({ request, response, query: searchParams })
      .catch((error: unknown) => this.#problemPath(error))
      .then((to) => response.writeHead(302, { Location: new URL(to, this.#options.publicUrl).href }).end());
  }

  #answerAt(path: string): ((exchange: Exchange) => Promise<string | URL>) | undefined {
    switch (path) {
      case openIdPaths.start:
        return (exchange) => this.#start(exchange);
      case openIdPaths.callback:
        return (exchange) => this.#finish(exchange);
      case openIdPaths.logout:
        return async () => (await this.#provider.logoutUrl(this.#options.publicUrl)) ?? "/";
      default:
        return undefined;
    }
  }

  /** Resolves to the provider's page. */
  async #start({ request, response, query }: Exchange): Promise<URL> {
    const { connection, clock, publicUrl, cookies, gate, limiter } = this.#options;
    await limiter.countOpenIdLogin(networkOf(gate.origin(request).address));
    const browser = this.#browserSecret(request) ?? newSecret("login");
    const state = randomBytes(32).toString("base64url");
    const to = await this.#provider.loginUrl(proofsOf(browser, state));
    const now = clock.now();
    await addOidcLogin(
      connection,
      {
        stateHash: hashOfSecret(state),
        browserHash: hashOfSecret(browser),
        returnTo: pathBack(query.get("back"), publicUrl),
        expiresAt: new Date(now + patience),
      },
      now,
    );
    response.appendHeader("Set-Cookie", loginCookie(browser, patience / 1000, cookies));
    return to;
  }

  /** Resolves to where the person was. */
  async #finish(exchange: Exchange): Promise<string> {
    const { auditor, gate } = this.#options;
    const { address } = gate.origin(exchange.request);
    let actor: Actor | undefined;
    const call = (): AuditedCall => ({
      ...{ actor, action: "logIn", instanceId: null, namespace: null, address },
      ...{ subject: actor?.name ?? "", detail: { method: "openid" } },
    });
    const failed = (error: unknown): AuditRecord => {
      const { problem, outcome } = judge(error);
      return { ...call(), detail: { method: "openid", problem }, outcome };
    };
    try {
      return await recorded(auditor, { call, failed }, async () => {
        const { person, returnTo } = await this.#prove(exchange);
        return async () => {
          actor = await this.#letIn(person, exchange);
          return returnTo;
        };
      });
    } catch (error) {
      return this.#problemPath(error);
    }
  }

  /** Resolves to who the provider says it is, and where they were. */
  async #prove({ request, query }: Exchange): Promise<{ person: OpenIdPerson; returnTo: string }> {
    const { connection, clock, gate, limiter } = this.#options;
    await limiter.countOpenIdLogin(networkOf(gate.origin(request).address));
    const state = query.get("state") ?? "";
    const browser = this.#browserSecret(request);
    const begun = await takeOidcLogin(connection, hashOfSecret(state), clock.now());
    if (begun === undefined || browser === undefined || begun.browserHash !== hashOfSecret(browser)) {
      throw new Problem("unauthenticated", "The login has expired.", { advice: "Log in again." });
    }
    const person = await this.#provider.person(query, proofsOf(browser, state));
    return { person, returnTo: begun.returnTo };
  }

  async #letIn(person: OpenIdPerson, { request, response }: Exchange): Promise<Actor> {
    const { gate, openId } = this.#options;
    const before = await gate.identify(request);
    const visitor = { ...gate.origin(request), before };
    const session = await letIn(person, visitor, { ...this.#options, confirmedFor: openId.confirmedFor });
    gate.setSession(request, response, session.secret);
    return session.actor;
  }

  #browserSecret(request: IncomingMessage): string | undefined {
    const secret = readCookie(request.headers.cookie, loginCookieName(this.#options.cookies)) ?? "";
    return isSecret("login", secret) ? secret : undefined;
  }

  /** The path of the login page that says what went wrong; of what isn't for everybody's eyes, the log says more. */
  #problemPath(error: unknown): string {
    const { problem } = judge(error);
    if (problem === "unavailable" || problem === "failed") {
      this.#options.logger.log({
        component: "openid",
        warning: "a login at the identity provider failed",
        err: toError(error),
      });
    }
    return `/?login=${problem}`;
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

function proofsOf(browser: string, state: string): LoginProofs {
  return {
    state,
    nonce: derivedSecret(browser, `nonce ${state}`),
    codeVerifier: derivedSecret(browser, `verifier ${state}`),
  };
}

/** What the login page is told, and whether somebody was refused, or the login couldn't be done. */
function judge(error: unknown): { readonly problem: LoginProblem; readonly outcome: "refused" | "failed" } {
  if (error instanceof Problem) {
    return { problem: problems[error.kind] ?? "failed", outcome: isRefusal(error) ? "refused" : "failed" };
  }
  if (error instanceof ProviderError) {
    switch (error.failure) {
      case "denied":
        return { problem: "denied", outcome: "refused" };
      case "unreachable":
        return { problem: "unavailable", outcome: "failed" };
      case "unproved":
        return { problem: "failed", outcome: "refused" };
    }
  }
  return { problem: "failed", outcome: "failed" };
}
