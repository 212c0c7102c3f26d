/** Reads the webhook configuration and its key files, once at the start. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "@weir/base";
import { type EndpointConfig, parseWebhooksConfig, WebhooksConfigError } from "./config.ts";
import type { HookEndpoint } from "./hook.ts";

/** An endpoint, and the path where it's served. */
export interface ServedEndpoint extends HookEndpoint {
  /** The path of its URL. */
  readonly path: string;
  /**
   * The path as it may be shown: if nothing else authenticates senders, everyone who knows the path can send requests.
   */
  readonly shownPath: string;
  readonly keyFile: string;
  /** Problems that somebody should fix. */
  readonly warnings: readonly string[];
}

/** A shorter key, in bytes, could be guessed. */
const shortestKey = 16;
/** The maximum size of a key, in bytes. */
const longestKey = 64 * 1024;
/** How much of a secret path to show, in characters. */
const shownPart = "/hook/".length + 8;

/**
 * Reads the endpoints of a configuration file, by path. Rejects with WebhooksConfigError, which names the file, if the
 * file or a key can't be read.
 */
export async function readEndpoints(file: string): Promise<ReadonlyMap<string, ServedEndpoint>> {
  try {
    const configs = parseWebhooksConfig(await readFile(file, "utf8"));
    const endpoints = await Promise.all(configs.map((config) => readEndpoint(dirname(file), config)));
    return byPath(endpoints);
  } catch (error) {
    throw new WebhooksConfigError(`cannot use the webhook configuration ${file}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The path at which flux-recv serves an endpoint. */
export function hookPath(key: Uint8Array, registryHost: string): string {
  return `/hook/${createHash("sha256").update(key).update(registryHost).digest("hex")}`;
}

function byPath(endpoints: readonly ServedEndpoint[]): ReadonlyMap<string, ServedEndpoint> {
  const found = new Map<string, ServedEndpoint>();
  for (const endpoint of endpoints) {
    const other = found.get(endpoint.path);
    if (other !== undefined) {
      throw new WebhooksConfigError(
        `the endpoints of ${other.keyFile} and ${endpoint.keyFile} have the same key; give each endpoint a different key`,
      );
    }
    found.set(endpoint.path, endpoint);
  }
  return found;
}

async function readEndpoint(folder: string, config: EndpointConfig): Promise<ServedEndpoint> {
  const { keyPath, ...settings } = config;
  const keyFile = join(folder, keyPath);
  const { key, mode } = await readKey(keyFile);
  const bare = withoutLineBreak(key);
  if (bare.length === 0) {
    throw new WebhooksConfigError(`the key ${keyFile} is empty`);
  }
  const endpoint = { ...settings, keys: bare.length === key.length ? [key] : [key, bare] };
  const proves = endpoint.source.proves(endpoint);
  const path = hookPath(key, endpoint.registryHost);
  return {
    ...endpoint,
    path,
    shownPath: proves ? path : `${path.slice(0, shownPart)}…`,
    keyFile,
    warnings: [
      ...keyWarnings(bare, mode),
      ...(proves ? [] : [`everyone who knows the URL can send requests${remedyOf(endpoint)}`]),
    ],
  };
}

async function readKey(file: string): Promise<{ readonly key: Buffer; readonly mode: number }> {
  try {
    const { mode, size } = await stat(file);
    if (size > longestKey) {
      throw new WebhooksConfigError(`it's larger than ${longestKey} bytes`);
    }
    return { key: await readFile(file), mode };
  } catch (error) {
    throw new WebhooksConfigError(`cannot read the key ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Editors add a line break to files, and hardly any secret ends with one. */
function withoutLineBreak(key: Buffer): Buffer {
  const end = key.at(-1) === 0x0a ? (key.at(-2) === 0x0d ? 2 : 1) : 0;
  return key.subarray(0, key.length - end);
}

function keyWarnings(key: Buffer, mode: number): readonly string[] {
  const warnings: string[] = [];
  if ((mode & 0o004) !== 0) {
    warnings.push("every user on the machine can read the key; mount its Secret with defaultMode: 0400");
  }
  if (key.length < shortestKey) {
    warnings.push(
      `the key is shorter than ${shortestKey} bytes and could be guessed; create a new one with openssl rand -hex 20`,
    );
  }
  return warnings;
}

function remedyOf({ source }: HookEndpoint): string {
  return source.remedy === undefined ? "" : `; ${source.remedy}`;
}
