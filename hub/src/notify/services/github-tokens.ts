import { createHash, createPrivateKey, type KeyObject } from "node:crypto";
import type { Clock } from "@weir/base";
import { SignJWT } from "jose";
import type { SettingsOf } from "../channel.ts";
import { jsonOf, judgeAnswer } from "../judge.ts";
import type { Network } from "../network.ts";
import type { Outcome } from "../retry.ts";

/** There is no token; the outcome says why. */
export class GitHubTokenError extends Error {
  override readonly name = "GitHubTokenError";
  readonly outcome: Exclude<Outcome, { kind: "delivered" }>;

  constructor(outcome: Exclude<Outcome, { kind: "delivered" }>) {
    super(outcome.reason);
    this.outcome = outcome;
  }
}

interface InstallationToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A token is renewed this long before it expires, in milliseconds. */
const renewBeforeMs = 5 * 60 * 1000;

/** More installations than a console has channels. */
const maxTokens = 1_000;

/** Tokens for GitHub's API: the one in the settings, or tokens of an App, which last an hour and are kept until then. */
export class GitHubTokens {
  readonly #network: Network;
  readonly #clock: Clock;
  readonly #tokens = new Map<string, InstallationToken>();

  constructor(network: Network, clock: Clock) {
    this.#network = network;
    this.#clock = clock;
  }

  /** Rejects with GitHubTokenError, or the errors of the network. */
  async tokenFor(settings: SettingsOf<"github">, signal: AbortSignal): Promise<string> {
    if (settings.token !== "") {
      return settings.token;
    }
    const key = keyOf(settings);
    const known = this.#tokens.get(key);
    if (known !== undefined && known.expiresAt - renewBeforeMs > this.#clock.now()) {
      return known.token;
    }
    const fresh = await this.#request(settings, signal);
    if (this.#tokens.size >= maxTokens) {
      this.#tokens.clear();
    }
    this.#tokens.set(key, fresh);
    return fresh.token;
  }

  async #request(settings: SettingsOf<"github">, signal: AbortSignal): Promise<InstallationToken> {
    const { apiUrl, installationId, repository } = settings;
    const url = new URL(`${apiUrl.replace(/\/+$/, "")}/app/installations/${installationId}/access_tokens`);
    const headers = {
      accept: "application/vnd.github+json",
      "user-agent": "weir-console",
      "x-github-api-version": "2022-11-28",
      authorization: `Bearer ${await this.#signedProof(settings)}`,
    };
    // The token can do no more than the channel needs.
    const body = {
      repositories: [repository.slice(repository.indexOf("/") + 1)],
      permissions: {
        ...(settings.status ? { statuses: "write" } : {}),
        ...(settings.comment ? { pull_requests: "write", contents: "read" } : {}),
      },
    };
    const answer = await this.#network.send({ method: "POST", url, headers, body }, signal);
    const outcome = judgeAnswer(answer, this.#clock.now());
    if (outcome.kind !== "delivered") {
      throw new GitHubTokenError({ ...outcome, reason: `no token for the App: ${outcome.reason}` });
    }
    const { token, expires_at: expires } = jsonOf(answer);
    if (typeof token !== "string" || typeof expires !== "string") {
      throw new GitHubTokenError({ kind: "refused", reason: "GitHub's answer has no token for the App" });
    }
    return { token, expiresAt: Date.parse(expires) };
  }

  /** GitHub's clock may be behind, and it accepts at most ten minutes. */
  #signedProof({ appId, privateKey }: SettingsOf<"github">): Promise<string> {
    const seconds = Math.floor(this.#clock.now() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: "RS256" })
      .setIssuer(appId)
      .setIssuedAt(seconds - 60)
      .setExpirationTime(seconds + 9 * 60)
      .sign(parsePrivateKey(privateKey));
  }
}

function parsePrivateKey(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw new GitHubTokenError({ kind: "refused", reason: "the private key of the App isn't a key in PEM" });
  }
}

/** A hash, so that no private key is kept for longer than the settings are. */
function keyOf(settings: SettingsOf<"github">): string {
  return createHash("sha256").update(JSON.stringify(settings)).digest("hex");
}
