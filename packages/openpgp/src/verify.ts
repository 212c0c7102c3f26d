import { hashOf, Usage, usageOfAlgorithm } from "./algorithms.ts";
import { isBinary, readArmor } from "./armor.ts";
import { checkSignature } from "./check-signature.ts";
import type { BlockState, PartState } from "./key-state.ts";
import { MalformedError } from "./malformed-error.ts";
import { readPackets, Tag } from "./packets.ts";
import { hasExpired } from "./self-signatures.ts";
import { readSignature, type Signature, SignatureType } from "./signature.ts";
import { Subpacket } from "./subpackets.ts";
import type { SignedData, Verdict } from "./verdict.ts";

/** The key that made a signature. */
export interface Issuer {
  readonly state: BlockState;
  readonly part: PartState;
  readonly trusted: boolean;
}

/** What a verdict depends on, beside the signature. */
export interface VerdictContext {
  /** In seconds since the epoch. */
  readonly now: number;
  findIssuer(signature: Signature): Issuer | undefined;
}

/** The verdict on a detached signature. */
export async function decideVerdict(
  { data, signature }: SignedData,
  context: VerdictContext,
): Promise<Verdict> {
  let signatures: readonly Signature[];
  try {
    signatures = await readSignatures(signature);
  } catch (error) {
    if (!(error instanceof MalformedError)) {
      throw error;
    }
    return unreadable(`the signature can't be read: ${error.message}`);
  }
  const [first] = signatures;
  if (first === undefined) {
    return unreadable("the signature can't be read: it isn't an OpenPGP signature");
  }
  if (signatures.length > 1 && signatures.every(({ type }) => type === first.type)) {
    return unreadable("there is more than one signature, which git doesn't accept");
  }
  return judgeSignature(first, data, context);
}

function unreadable(reason: string): Verdict {
  return { status: "E", key: "", reason };
}

/** git accepts one signature only. */
const mostPackets = 1_000;

/** In bytes, or characters of armor. gpg's limits for one signature come to less than half of it. */
const largestSignature = 64 * 1024;

/** The signatures up to where gpg would stop: at something that isn't one, or can't be read. */
async function readSignatures(signature: Uint8Array | string): Promise<readonly Signature[]> {
  if (signature.length > largestSignature) {
    throw new MalformedError("it is too large");
  }
  const { packets, problem } = await readPackets(await unarmored(signature), mostPackets);
  const signatures: Signature[] = [];
  try {
    for (const { tag, body } of packets) {
      if (tag === Tag.signature) {
        signatures.push(readSignature(body));
      } else if (contents.has(tag)) {
        throw new ContentError("it contains data, and should be kept beside it");
      } else if (others.has(tag)) {
        return signatures;
      }
    }
    if (problem !== undefined) {
      throw problem;
    }
  } catch (error) {
    if (signatures.length === 0 || error instanceof ContentError) {
      throw error;
    }
  }
  return signatures;
}

class ContentError extends MalformedError {}

/** Data inside a detached signature: nobody could say what was signed. */
const contents: ReadonlySet<number> = new Set([Tag.onePassSignature, Tag.compressed, Tag.literal]);

/** Where gpg stops reading a detached signature. */
const others: ReadonlySet<number> = new Set([
  Tag.encryptedSessionKey,
  Tag.passwordSessionKey,
  Tag.secretKey,
  Tag.publicKey,
  Tag.encrypted,
  Tag.userId,
  Tag.encryptedWithIntegrity,
  Tag.encryptedAead,
]);

async function unarmored(signature: Uint8Array | string): Promise<Uint8Array> {
  if (typeof signature !== "string" && isBinary(signature)) {
    return signature;
  }
  const text = typeof signature === "string" ? signature : Buffer.from(signature).toString("latin1");
  const { value } = await readArmor(text).next();
  return value?.bytes ?? new Uint8Array();
}

async function judgeSignature(
  signature: Signature,
  data: Uint8Array,
  context: VerdictContext,
): Promise<Verdict> {
  const key = signature.issuer;
  if (signature.type !== SignatureType.binary && signature.type !== SignatureType.text) {
    return unreadable("it isn't a signature of data");
  }
  if (hashOf(signature.hash) === undefined) {
    return unreadable(`the hash function with number ${signature.hash} isn't supported`);
  }
  if ((usageOfAlgorithm(signature.algorithm) & Usage.sign) === 0) {
    return { status: "E", key, reason: `the algorithm with number ${signature.algorithm} isn't supported` };
  }
  const issuer = context.findIssuer(signature);
  if (issuer === undefined) {
    return { status: "E", key, reason: `the key ${nameOf(signature)} isn't in the keyring` };
  }
  const { primaryUserId } = issuer.state;
  const signer = primaryUserId === undefined ? {} : { signer: primaryUserId };
  const obstacle = obstacleOf(signature, issuer, context.now);
  if (obstacle !== undefined) {
    return { status: "E", key, ...signer, reason: obstacle };
  }
  const check = await checkSignature(issuer.part.part.key, signature, [
    signature.type === SignatureType.text ? asText(data) : data,
  ]);
  if (typeof check === "object") {
    return { status: "E", key, ...signer, reason: check.unchecked };
  }
  if (check === "bad") {
    return { status: "B", key, ...signer, reason: badReason(signature) };
  }
  const unbound = crossCertificationProblem(issuer.part);
  return unbound === undefined
    ? { key, ...signer, ...standing(signature, issuer, context.now) }
    : { status: "E", key, ...signer, reason: unbound };
}

function nameOf({ issuer, issuerFingerprint }: Signature): string {
  return issuerFingerprint ?? issuer;
}

/** Why a key could not have made a signature, whatever the signature is. */
function obstacleOf(signature: Signature, { part }: Issuer, now: number): string | undefined {
  const { key } = part.part;
  if (!part.valid) {
    return `the key ${key.keyId} has no valid self-signature`;
  }
  if (key.created > signature.created) {
    return `the signature was made on ${day(signature.created)}, before its key was created on ${day(key.created)}`;
  }
  if (key.created > now) {
    return `the key was created in the future, on ${day(key.created)}`;
  }
  const hash = hashOf(signature.hash);
  if (hash?.weak === true) {
    return `weak algorithm: ${hash.title} isn't secure any more`;
  }
  return (part.usage & Usage.sign) === 0 ? `the key ${key.keyId} isn't meant for signatures` : undefined;
}

function badReason({ hasUnknownCritical }: Signature): string {
  return hasUnknownCritical
    ? "bad signature: it has a critical attribute that isn't supported"
    : "bad signature: it doesn't match what it should sign";
}

/** A subkey must have signed that it belongs to its key: anyone can claim to own it. */
function crossCertificationProblem({ isPrimary, part, crossCertification }: PartState): string | undefined {
  if (isPrimary || crossCertification === "good") {
    return undefined;
  }
  const how = crossCertification === "missing" ? "no" : "an invalid";
  return `the signing subkey ${part.key.keyId} has ${how} cross-certification`;
}

type Standing = Pick<Verdict, "status" | "reason">;

/** What a signature that matches is worth. */
function standing(signature: Signature, { part, trusted }: Issuer, now: number): Standing {
  if (hasExpired(signature, now)) {
    return { status: "X", reason: `the signature expired on ${day(signature.expires ?? 0)}` };
  }
  if (part.expired !== undefined) {
    const when =
      part.expired < signature.created ? "had expired before it signed" : "has expired since it signed";
    return { status: "Y", reason: `the key ${when}, on ${day(part.expired)}` };
  }
  if (part.revocation !== undefined) {
    return { status: "R", reason: revocationReason(part.revocation) };
  }
  return trusted
    ? { status: "G", reason: "good signature" }
    : { status: "U", reason: "good signature, but its key isn't trusted" };
}

const revocationCodes: ReadonlyMap<number, string> = new Map([
  [1, "it was replaced by another key"],
  [2, "it was compromised"],
  [3, "it is no longer used"],
]);

function revocationReason({ created, hashed }: Signature): string {
  const code = hashed.first(Subpacket.revocationReason)?.[0];
  const why = revocationCodes.get(code ?? 0);
  return `the key was revoked on ${day(created)}${why === undefined ? "" : `, because ${why}`}`;
}

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** Lines as a text signature signs them: each ends with "\r\n", whatever it ended with. */
function asText(data: Uint8Array): Uint8Array {
  const lines = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1").split("\n");
  return Buffer.from(lines.map(withoutReturns).join("\r\n"), "latin1");
}

function withoutReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") {
    end--;
  }
  return line.slice(0, end);
}
