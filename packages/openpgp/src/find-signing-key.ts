import type { SecretKeyPacket } from "openpgp";
import { Usage } from "./algorithms.ts";
import { SigningKeyError } from "./errors.ts";
import { partsOf } from "./key-block.ts";
import { type KeyQuery, parseKeyQuery } from "./key-query.ts";
import type { BlockState, PartState } from "./key-state.ts";
import type { PublicKey } from "./public-key.ts";

/** Where to look for a signing key. */
export interface SigningKeys {
  readonly states: readonly BlockState[];
  /** In seconds since the epoch. */
  readonly now: number;
  /** The IDs of the secret keys that only a passphrase could open. */
  readonly protectedKeys: ReadonlySet<string>;
}

/** The key that signs. */
export interface SigningKey {
  readonly key: PublicKey;
  readonly secret: SecretKeyPacket;
  /** The mail address by which the key was found. Signatures mention it, as gpg's do. */
  readonly mail: string | undefined;
}

/**
 * The key that gpg would sign with for `--local-user`: the newest signing subkey, or else the primary key, of the
 * first key that matches and has one.
 * @throws SigningKeyError worded as gpg's.
 */
export function findSigningKey(userOrKeyId: string, { states, now, protectedKeys }: SigningKeys): SigningKey {
  const query = parseKeyQuery(userOrKeyId);
  const matching = states.filter((state) => query.matches(state));
  const secret = matching.filter(({ block }) => partsOf(block).some((part) => part.secret !== undefined));
  const [usable] = secret.flatMap((state) => {
    const part = choosePart(state, query, now);
    return part === undefined ? [] : [{ part: part.part, mail: query.mailIn(state) }];
  });
  if (usable === undefined) {
    const isProtected = matching.some(({ block }) =>
      partsOf(block).some(({ key }) => protectedKeys.has(key.keyId)),
    );
    throw missing(userOrKeyId, secret.length > 0 ? "Unusable secret key" : "No secret key", isProtected);
  }
  const { key, secret: packet } = usable.part;
  if (packet === undefined) {
    throw new SigningKeyError("gpg: signing failed: No secret key");
  }
  return { key, secret: packet, mail: usable.mail };
}

function missing(name: string, problem: string, isProtected: boolean): SigningKeyError {
  const lines = [`gpg: skipped "${name}": ${problem}`, `gpg: signing failed: ${problem}`];
  const hint = "the secret key is protected by a passphrase, so it wasn't imported";
  return new SigningKeyError([...lines, ...(isProtected ? [hint] : [])].join("\n"));
}

/** "!" after a key ID asks for exactly this key or subkey. */
function choosePart({ parts }: BlockState, query: KeyQuery, now: number): PartState | undefined {
  if (query.isExact) {
    return parts.find((part) => query.isPart(part.part.key) && canSign(part, now));
  }
  const subkeys = parts.filter(
    (part) => !part.isPrimary && part.part.secret !== undefined && canSign(part, now),
  );
  const newest = subkeys.reduce<PartState | undefined>(
    (best, each) => (best === undefined || each.part.key.created > best.part.key.created ? each : best),
    undefined,
  );
  return newest ?? parts.find((part) => part.isPrimary && canSign(part, now));
}

function canSign({ part, valid, usage, revocation, expired }: PartState, now: number): boolean {
  return (
    valid &&
    (usage & Usage.sign) !== 0 &&
    revocation === undefined &&
    expired === undefined &&
    part.key.created <= now
  );
}
