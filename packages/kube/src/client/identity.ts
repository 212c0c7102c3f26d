import {
  type Clock,
  type Environment,
  isJsonObject,
  type JsonObject,
  kubernetesLimits,
  messageOf,
  orAborted,
} from "@weir/base";
import type { ClusterCredentials, RequestHeaders } from "../rest/credentials.ts";
import { type ExecCredential, parseExecPlugin, runExecPlugin } from "./exec-plugin.ts";
import { KubeConfigError } from "./kube-config-file.ts";
import { OidcSession } from "./oidc-session.ts";
import { readSmallFile } from "./small-file.ts";

/** How a user proves who it is: by an Authorization header, by a client certificate, or by both. */
export interface Proof {
  readonly authorization?: string;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
}

/** Where proofs come from. */
export interface Identity {
  proof(signal?: AbortSignal): Promise<Proof>;
  /** The server refused this authorization: forgets it. False where no other can be had. */
  renew(refused: string | undefined): boolean;
}

/** How long a token that was read from a file is used before it is read again; as client-go. */
const tokenFileAgeMs = 60_000;
/** A plugin's credential is renewed a little before it expires. */
const expiryMarginMs = 10_000;

/** A proof that never changes. */
export function fixedIdentity(proof: Proof): Identity {
  return { proof: () => Promise.resolve(proof), renew: () => false };
}

/**
 * A bearer token in a file that is renewed from time to time, such as that of a pod's service account. As client-go,
 * uses `fallback` while the file can't be read.
 */
export function tokenFileIdentity(path: string, clock: Clock, fallback?: string): Identity {
  return kept(clock, async () => {
    const token = await readToken(path).catch((error: unknown) => {
      if (fallback === undefined) {
        throw error;
      }
      return fallback;
    });
    return { proof: { authorization: `Bearer ${token}` }, until: clock.now() + tokenFileAgeMs };
  });
}

/** The headers of an identity, beside those that are always the same; see ClusterCredentials.headers. */
export function headersOf(identity: Identity, always: RequestHeaders): ClusterCredentials["headers"] {
  return async (signal) => {
    const { authorization } = await identity.proof(signal);
    return authorization === undefined ? always : { ...always, Authorization: authorization };
  };
}

/** See ClusterCredentials.renew. */
export function renewerOf(identity: Identity): ClusterCredentials["renew"] {
  return ({ Authorization: refused }) => identity.renew(typeof refused === "string" ? refused : undefined);
}

/** What a user's entry does not say itself and its identity needs. */
export interface Surroundings {
  readonly user: string;
  readonly cluster: JsonObject;
  readonly env: Environment;
  readonly clock: Clock;
  /** Ends a plugin that still runs. */
  readonly signal?: AbortSignal;
}

/** What a credential plugin gives, kept until it expires or the server refuses it. */
export function execIdentity(exec: JsonObject, about: Surroundings): Identity {
  const plugin = parseExecPlugin(exec, about.user);
  return kept(about.clock, async () => {
    const credential = await runExecPlugin(plugin, about);
    return { proof: proofOf(credential), until: (credential.expiresAt ?? Infinity) - expiryMarginMs };
  });
}

/** The OpenID Connect provider of kubectl: an ID token, which is renewed when it is over. */
export function oidcIdentity(provider: JsonObject, user: string, clock: Clock): Identity {
  const session = new OidcSession(asObject(provider["config"]), user, clock);
  return kept(clock, async () => ({
    proof: { authorization: `Bearer ${await session.idToken()}` },
    until: clock.now() + tokenFileAgeMs,
  }));
}

interface Kept {
  readonly proof: Proof;
  readonly until: number;
}

/** Asks once for all who wait, keeps the answer until its time, and asks again after a failure. */
function kept(clock: Clock, ask: () => Promise<Kept>): Identity {
  let current: Promise<Kept> | undefined;
  let given: Proof | undefined;
  return {
    async proof(signal) {
      const before = current;
      const held = await before?.catch(() => undefined);
      if (held !== undefined && clock.now() < held.until) {
        return held.proof;
      }
      if (current === before) {
        current = ask();
      }
      given = (await orAborted(current ?? ask(), signal)).proof;
      return given;
    },
    renew(refused) {
      if (given !== undefined && given.authorization === refused) {
        current = undefined;
        given = undefined;
      }
      return true;
    },
  };
}

async function readToken(path: string): Promise<string> {
  const content = await readSmallFile(path, kubernetesLimits.credentialFile).catch((cause: unknown) => {
    throw new KubeConfigError(`cannot read token file ${path}: ${messageOf(cause)}`, { cause });
  });
  const token = content.toString("utf8").trim();
  if (token === "") {
    throw new KubeConfigError(`token file ${path} is empty`);
  }
  return token;
}

function proofOf(credential: ExecCredential): Proof {
  return {
    ...(credential.token === undefined ? {} : { authorization: `Bearer ${credential.token}` }),
    ...(credential.cert === undefined ? {} : { cert: credential.cert }),
    ...(credential.key === undefined ? {} : { key: credential.key }),
  };
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
