/** Reads the configuration of webhooks and the keys that it names, once, at the start. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "@weir/base";
import { type EndpointConfig, parseWebhooksConfig, WebhooksConfigError } from "./config.ts";
import type { HookEndpoint } from "./hook.ts";

/** An endpoint, and where it is served. */
export interface ServedEndpoint extends HookEndpoint {
  /** The path of its URL. */
  readonly path: string;
  /** The same as it may be shown: where nothing else proves who sends, who knows the path can send. */
  readonly shownPath: string;
  readonly keyFile: string;
  /** What somebody should look after. */
  readonly warnings: readonly string[];
}

/** Shorter keys may be guessed, in bytes. */
const shortestKey = 16;
/** No key has so many bytes. */
const longestKey = 64 * 1024;
/** How much of a path is shown where it is a secret, in characters. */
const shownPart = "/hook/".length + 8;

/**
 * The endpoints of the configuration in a file, by path. Rejects with WebhooksConfigError, which names the file,
 * where it or a key cannot be read.
 */
export async function readEndpoints(file: string): Promise<ReadonlyMap<string, ServedEndpoint>> {
  try {
    const configs = parseWebhooksConfig(await readFile(file, "utf8"));
    const endpoints = await Promise.all(configs.map((config) => readEndpoint(dirname(file), config)));
    return byPath(endpoints);
  } catch (error) {
    throw new WebhooksConfigError(`cannot use the configuration of webhooks ${file}: ${messageOf(error)}`, {
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
        `the endpoints of ${other.keyFile} and ${endpoint.keyFile} have the same key: give each a key of its own`,
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
      ...(proves ? [] : [`who knows the URL can send what it likes${remedyOf(endpoint)}`]),
    ],
  };
}

async function readKey(file: string): Promise<{ readonly key: Buffer; readonly mode: number }> {
  try {
    const { mode, size } = await stat(file);
    if (size > longestKey) {
      throw new WebhooksConfigError(`it is longer than ${longestKey} bytes`);
    }
    return { key: await readFile(file), mode };
  } catch (error) {
    throw new WebhooksConfigError(`cannot read the key ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Editors end a file with one, and hardly any secret. */
function withoutLineBreak(key: Buffer): Buffer {
  const end = key.at(-1) === 0x0a ? (key.at(-2) === 0x0d ? 2 : 1) : 0;
  return key.subarray(0, key.length - end);
}

function keyWarnings(key: Buffer, mode: number): readonly string[] {
  const warnings: string[] = [];
  if ((mode & 0o004) !== 0) {
    warnings.push("every user can read the key; mount its Secret with defaultMode: 0400");
  }
  if (key.length < shortestKey) {
    warnings.push(
      `the key is shorter than ${shortestKey} bytes and may be guessed; make one with openssl rand -hex 20`,
    );
  }
  return warnings;
}

function remedyOf({ source }: HookEndpoint): string {
  return source.remedy === undefined ? "" : `; ${source.remedy}`;
}
