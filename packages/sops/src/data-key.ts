import { messageOf } from "@weir/base";
import { DataKeyError, type KeyFailure, SopsError } from "./errors.ts";
import type { KeyService } from "./key-service.ts";
import type { KeyGroup, MasterKey } from "./master-key.ts";
import type { Metadata } from "./metadata.ts";
import { combineShares, SharesError } from "./shamir.ts";

/**
 * Recovers the key that encrypts the values of a file: one master key of each group decrypts its share, and as many
 * groups are needed as the threshold says. Rejects with DataKeyError if too few succeed.
 */
export async function recoverDataKey(
  { groups, threshold }: Pick<Metadata, "groups" | "threshold">,
  keys: KeyService,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const failures: KeyFailure[] = [];
  const shares: Uint8Array[] = [];
  for (const group of groups) {
    const share = await decryptShare(group, { keys, failures }, signal);
    if (share !== undefined) {
      shares.push(share);
    }
    // A threshold of one is invalid, and none asks for as many as there are.
    if (threshold > 1 && shares.length >= threshold) {
      break;
    }
  }
  const [only] = shares;
  const isEnough = groups.length > 1 ? shares.length >= threshold : shares.length === 1;
  if (!isEnough || only === undefined) {
    throw new DataKeyError(threshold, shares.length, failures);
  }
  return groups.length > 1 ? combined(shares) : only;
}

interface Attempt {
  readonly keys: KeyService;
  /** Receives the master keys that failed. */
  readonly failures: KeyFailure[];
}

async function decryptShare(
  group: KeyGroup,
  { keys, failures }: Attempt,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  for (const key of group.toSorted(byCost)) {
    try {
      return await keys.decrypt(key, signal);
    } catch (error) {
      signal.throwIfAborted();
      failures.push({ key, reason: messageOf(error) });
    }
  }
  return undefined;
}

/** Keys that are at hand come before those that a service has to be asked for. */
function byCost(a: MasterKey, b: MasterKey): number {
  return cost(a) - cost(b);
}

function cost({ type }: MasterKey): number {
  return type === "age" || type === "pgp" ? 0 : 1;
}

function combined(shares: readonly Uint8Array[]): Uint8Array {
  try {
    return combineShares(shares);
  } catch (error) {
    if (error instanceof SharesError) {
      throw new SopsError(`could not get data key from shamir parts: ${error.message}`, { cause: error });
    }
    throw error;
  }
}
