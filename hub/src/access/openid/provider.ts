import { toError } from "@weir/base";
import type * as openIdClient from "openid-client";

/** How the console is known to an identity provider. */
export interface OpenIdOptions {
  /** The URL of the provider, as its tokens name it. */
  readonly issuer: URL;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret?: string;
  /** What people call the provider. */
  readonly name: string;
  /** The claim that lists the groups of a person. */
  readonly groupsClaim: string;
  /** Scopes to ask for in addition to openid, profile, and email. */
  readonly scopes: readonly string[];
  /** For how long a login confirms that a person is who they are, and their groups, in milliseconds. */
  readonly confirmedFor: number;
}

/** The options of an identity provider can't be used; the message says why. */
export class OpenIdOptionsError extends Error {
  override readonly name = "OpenIdOptionsError";
}

/**
 * Why a login can't go on at the provider: the person has refused, the provider can't be reached, or what came from it
 * proves nothing.
 */
export type ProviderFailure = "denied" | "unreachable" | "unproved";

/** A login can't go on at the identity provider; the cause, which isn't for everybody's eyes, says more. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly failure: ProviderFailure;

  constructor(cause: unknown) {
    super(toError(cause).message, { cause });
    this.failure = failureOf(cause);
  }
}

/** What a login takes, and proves that the answer to it is its own. */
export interface LoginProofs {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A person as the provider knows them. */
export interface OpenIdPerson {
  readonly issuer: string;
  readonly subject: string;
  /** What they'd like to be called; "" if that isn't known. */
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
}

/** An identity provider, which is asked for its endpoints when they're first needed. */
export class OpenIdProvider {
  readonly #options: OpenIdOptions;
  readonly #redirect: URL;
  #known: Promise<Known> | undefined;

  /** `redirect` is where the provider sends people back to. Throws OpenIdOptionsError. */
  constructor(options: OpenIdOptions, redirect: URL) {
    const { protocol, href } = options.issuer;
    if (protocol !== "https:") {
      throw new OpenIdOptionsError(`the identity provider ${href} isn't reached over TLS: use its https URL`);
    }
    this.#options = options;
    this.#redirect = redirect;
  }

  /** Where to send a browser, so that somebody logs in there. Rejects with ProviderError. */
  async loginUrl({ state, nonce, codeVerifier }: LoginProofs): Promise<URL> {
    const { client, configuration } = await this.#know();
    const { scopes } = this.#options;
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirect.href,
      scope: ["openid", "profile", "email", ...scopes].join(" "),
      ...{ state, nonce, code_challenge_method: "S256" },
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    });
  }

  /** Who came back with these parameters. Rejects with ProviderError, also if that isn't proved. */
  async person(parameters: URLSearchParams, proofs: LoginProofs): Promise<OpenIdPerson> {
    const known = await this.#know();
    try {
      return await this.#provedPerson(known, parameters, proofs);
    } catch (error) {
      throw new ProviderError(error);
    }
  }

  /**
   * Where to send a browser that is to log out at the provider too; undefined if that can't be done. Rejects with
   * ProviderError.
   */
  async logoutUrl(back: URL): Promise<URL | undefined> {
    const { client, configuration } = await this.#know();
    return configuration.serverMetadata().end_session_endpoint === undefined
      ? undefined
      : client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: back.href });
  }

  async #provedPerson(
    { client, configuration }: Known,
    parameters: URLSearchParams,
    { state, nonce, codeVerifier }: LoginProofs,
  ): Promise<OpenIdPerson> {
    const url = new URL(this.#redirect);
    url.search = parameters.toString();
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) {
      throw new Error("the identity provider sent no ID token");
    }
    const isComplete = this.#options.groupsClaim in claims && "email" in claims;
    const more =
      isComplete || configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    const known = { issuer: claims.iss, subject: claims.sub };
    return {
      ...known,
      ...describe({ ...more, ...claims }, this.#options),
    };
  }

  /** A failure isn't kept: the provider may be there the next time. */
  #know(): Promise<Known> {
    this.#known ??= discover(this.#options).catch((error: unknown) => {
      this.#known = undefined;
      throw new ProviderError(error);
    });
    return this.#known;
  }
}

/** The library, and the provider as it describes itself. */
interface Known {
  readonly client: typeof openIdClient;
  readonly configuration: openIdClient.Configuration;
}

async function discover({ issuer, clientId, clientSecret }: OpenIdOptions): Promise<Known> {
  const client = await import("openid-client");
  const authentication = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
  const configuration = await client.discovery(issuer, clientId, {}, authentication);
  return { client, configuration };
}

function describe(
  claims: Readonly<Record<string, unknown>>,
  { groupsClaim }: OpenIdOptions,
): Omit<OpenIdPerson, "issuer" | "subject"> {
  const email = textOf(claims["email"]);
  const groups = claims[groupsClaim];
  return {
    login: textOf(claims["preferred_username"]) || email,
    name: textOf(claims["name"]),
    email,
    groups: Array.isArray(groups) ? groups.map(textOf).filter((each) => each !== "") : [],
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/** By what openid-client throws: its own errors, those of fetch, and the provider's, by their names in OAuth. */
function failureOf(cause: unknown): ProviderFailure {
  if (!(cause instanceof Error)) {
    return "unproved";
  }
  const isDenied = "error" in cause && cause.error === "access_denied";
  const isUnreachable = cause.name === "TimeoutError" || cause instanceof TypeError;
  return isDenied ? "denied" : isUnreachable ? "unreachable" : "unproved";
}
