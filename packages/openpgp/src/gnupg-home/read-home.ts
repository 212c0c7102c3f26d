import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@weir/base";
import { type Packet, readPackets, Tag, writePacket } from "../packets.ts";
import { type PublicKey, readPublicKey } from "../public-key.ts";
import { mostKeyPackets } from "../read-keys.ts";
import { type AgentKey, publicValueOf, readAgentKey } from "./agent-key.ts";
import { readKeybox, readTrust } from "./keybox.ts";
import { secretBodyOf } from "./secret-body.ts";

/** What a GnuPG home holds. */
export interface GnupgHome {
  /** Binary keys, with their secret parts where the home has them without a passphrase. */
  readonly keys: readonly Uint8Array[];
  /** The fingerprints that it trusts ultimately. */
  readonly trusted: readonly string[];
  /** Secret keys that only a passphrase could open. */
  readonly protectedKeys: readonly PublicKey[];
  /** What could not be read, by file. */
  readonly problems: readonly string[];
}

/** Reads the keyring of GnuPG 2.1 or later in a folder, or an older one. Without the folder, nothing is there. */
export async function readGnupgHome(folder: string): Promise<GnupgHome> {
  const problems: string[] = [];
  const read = async <T>(name: string, parse: (bytes: Uint8Array) => T): Promise<T | undefined> => {
    try {
      return parse(await readFile(join(folder, name)));
    } catch (error) {
      if (!isMissing(error)) {
        problems.push(`${join(folder, name)}: ${messageOf(error)}`);
      }
      return undefined;
    }
  };
  const publicKeys = (await read("pubring.kbx", readKeybox)) ?? (await read("pubring.gpg", same));
  const wasMigrated = (await read(".gpg-v21-migrated", same)) !== undefined;
  const secretKeys = wasMigrated ? undefined : await read("secring.gpg", same);
  const agentKeys: AgentKey[] = [];
  for (const name of await keyFiles(folder)) {
    const agentKey = await read(join(keysFolder, name), readAgentKey);
    agentKeys.push(...(agentKey === undefined ? [] : [agentKey]));
  }
  const joined = await joinSecrets(publicKeys ?? new Uint8Array(), agentKeys);
  return {
    keys: [joined.bytes, ...(secretKeys === undefined ? [] : [secretKeys])].filter(
      ({ length }) => length > 0,
    ),
    trusted: (await read("trustdb.gpg", readTrust)) ?? [],
    protectedKeys: joined.protectedKeys,
    problems,
  };
}

const keysFolder = "private-keys-v1.d";

async function keyFiles(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(join(folder, keysFolder))).filter((name) => name.endsWith(".key")).toSorted();
  } catch (error) {
    if (isMissing(error)) {
      return [];
    }
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

function same(bytes: Uint8Array): Uint8Array {
  return bytes;
}

interface JoinedKeys {
  readonly bytes: Uint8Array;
  readonly protectedKeys: readonly PublicKey[];
}

/** Public keys, made secret where there is a secret part. */
async function joinSecrets(bytes: Uint8Array, agentKeys: readonly AgentKey[]): Promise<JoinedKeys> {
  if (agentKeys.length === 0) {
    return { bytes, protectedKeys: [] };
  }
  const byValue = new Map(agentKeys.map((each) => [each.publicValue, each]));
  const protectedKeys: PublicKey[] = [];
  const joined: Packet[] = [];
  const { packets } = await readPackets(bytes, mostKeyPackets);
  for (const packet of packets) {
    const key = await publicKeyIn(packet);
    const agentKey = key === undefined ? undefined : byValue.get(publicValueOf(key));
    if (key === undefined || agentKey === undefined) {
      joined.push(packet);
    } else if (agentKey.secrets === undefined) {
      joined.push(packet);
      protectedKeys.push(key);
    } else {
      joined.push(withSecret(packet, secretBodyOf(key, agentKey.secrets)));
    }
  }
  return { bytes: Buffer.concat(joined.map(writePacket)), protectedKeys };
}

/** The key in a packet, if it has one that's supported. */
async function publicKeyIn({ tag, body }: Packet): Promise<PublicKey | undefined> {
  if (tag !== Tag.publicKey && tag !== Tag.publicSubkey) {
    return undefined;
  }
  try {
    return await readPublicKey(body);
  } catch {
    // The import will say what is wrong with it.
    return undefined;
  }
}

function withSecret(packet: Packet, body: Uint8Array | undefined): Packet {
  return body === undefined
    ? packet
    : { tag: packet.tag === Tag.publicKey ? Tag.secretKey : Tag.secretSubkey, body };
}
