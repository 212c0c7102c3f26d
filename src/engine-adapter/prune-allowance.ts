import { isJsonObject, type Logger, messageOf } from "@weir/base";
import type { RestClient } from "@weir/kube/rest";
import { SecretAnnotation } from "../cluster-state/secret-annotation.ts";
import type { SecretName } from "../cluster-state/secret-patch.ts";

const annotation = "weir.dev/allowed-deletions";
/** Some 800 objects; what else is kept in the same Secret leaves no more. */
const mostBytes = 32 * 1024;

/** The deletions that somebody has allowed although they're many: these objects, at this revision. */
export interface AllowedDeletions {
  readonly revision: string;
  readonly uids: readonly string[];
}

/** Keeps what was allowed last. */
export interface PruneAllowance {
  /**
   * Allows these deletions from now on, and nothing that was allowed before. Resolves to the reason why the next fluxd
   * won't know, or to undefined. Rejects if that isn't known; then nothing changes for this fluxd.
   */
  allow(allowed: AllowedDeletions, signal: AbortSignal): Promise<string | undefined>;
  /** The UIDs of the objects that a sync to this revision may delete; none if what is stored can't be read now. */
  allowedAt(revision: string, signal: AbortSignal): Promise<readonly string[]>;
  /** A sync to this revision has made the allowed deletions; they count only once. */
  usedAt(revision: string, signal: AbortSignal): Promise<void>;
}

/**
 * Keeps it in an annotation of the Secret for the SSH key, which fluxd's permissions always include. If that isn't
 * possible (undefined: fluxd isn't in a pod), it's kept in memory.
 */
export function createSecretPruneAllowance(
  client: RestClient,
  secret: SecretName | undefined,
  logger: Logger,
): PruneAllowance {
  return new SecretPruneAllowance(new SecretAnnotation({ client, secret, annotation, mostBytes }), logger);
}

class SecretPruneAllowance implements PruneAllowance {
  readonly #annotation: SecretAnnotation;
  readonly #logger: Logger;
  /** "unknown" until it's known what an earlier fluxd has stored. */
  #allowed: AllowedDeletions | "none" | "unknown" = "unknown";

  constructor(secretAnnotation: SecretAnnotation, logger: Logger) {
    this.#annotation = secretAnnotation;
    this.#logger = logger;
  }

  async allow(allowed: AllowedDeletions, signal: AbortSignal): Promise<string | undefined> {
    const unkept = await this.#annotation.update(() => JSON.stringify(allowed), signal);
    this.#allowed = allowed;
    return unkept?.why === "too-large" ? "they are too many to be stored" : unkept?.reason;
  }

  async allowedAt(revision: string, signal: AbortSignal): Promise<readonly string[]> {
    const allowed = await this.#load(signal);
    return typeof allowed === "object" && allowed.revision === revision ? allowed.uids : [];
  }

  async usedAt(revision: string, signal: AbortSignal): Promise<void> {
    const allowed = this.#allowed;
    if (typeof allowed === "object" && allowed.revision === revision) {
      this.#allowed = "none";
      await this.#removeStored(allowed, signal);
    }
  }

  async #load(signal: AbortSignal): Promise<AllowedDeletions | "none" | "unknown"> {
    if (this.#allowed !== "unknown") {
      return this.#allowed;
    }
    try {
      const found = await this.#annotation.read(signal);
      this.#learn("text" in found ? parseAllowed(found.text) : undefined);
    } catch (error) {
      signal.throwIfAborted();
      const warning = "it isn't known whether more deletions than --sync-prune-limit are allowed";
      this.#logger.log({ warning, err: messageOf(error) });
    }
    return this.#allowed;
  }

  /** What is stored counts unless somebody has allowed something since it was read. */
  #learn(stored: AllowedDeletions | undefined): void {
    if (this.#allowed === "unknown") {
      this.#allowed = stored ?? "none";
    }
  }

  /** Leaves alone what another fluxd has stored meanwhile. If it fails, the leftover counts only at its revision. */
  async #removeStored(known: AllowedDeletions, signal: AbortSignal): Promise<void> {
    const text = JSON.stringify(known);
    try {
      await this.#annotation.update((current) => (current === text ? undefined : current), signal);
    } catch (error) {
      this.#logger.log({
        warning: "cannot remove deletions that were allowed before",
        err: messageOf(error),
      });
    }
  }
}

/** Undefined if there's nothing, or nothing that this version can read. */
function parseAllowed(text: string | undefined): AllowedDeletions | undefined {
  const json = text === undefined ? undefined : parseJson(text);
  if (!isJsonObject(json)) {
    return undefined;
  }
  const { revision, uids } = json;
  const isList = Array.isArray(uids) && uids.every((uid) => typeof uid === "string");
  return typeof revision === "string" && isList ? { revision, uids } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
