import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { HostCredentials, RegistryCredentials } from "./credentials.ts";

/** The content of a Docker config file, and its problems. */
export interface DockerConfig {
  readonly credentials: RegistryCredentials;
  /** One sentence for each entry that was left out; none contains a secret. */
  readonly problems: readonly string[];
}

/** A text isn't a Docker config. The text isn't shown because it contains secrets. */
export class DockerConfigError extends Error {
  override readonly name = "DockerConfigError";
  readonly provenance: string;

  constructor(provenance: string) {
    super(`${provenance} isn't a Docker config; expected a JSON object with "auths"`);
    this.provenance = provenance;
  }
}

/**
 * Parses a Docker config: {"auths": {host: {"auth": …}}}, or only the content of "auths", as in secrets of the type
 * kubernetes.io/dockercfg. Unlike Flux v1, it also accepts "username" and "password", and ignores only entries that are
 * invalid. Throws DockerConfigError.
 */
export function parseDockerConfig(text: string, provenance: string): DockerConfig {
  const credentials = new Map<string, HostCredentials>();
  const problems: string[] = [];
  for (const [address, entry] of Object.entries(entriesOf(text, provenance))) {
    const host = hostOf(address);
    const login = loginOf(entry);
    if (host === undefined) {
      problems.push(`${provenance}: an entry has no valid host name`);
    } else if (login === undefined) {
      problems.push(`${provenance}: the entry for ${host} has no valid user name and password in "auth"`);
    } else {
      credentials.set(host, { ...login, provenance });
    }
  }
  return { credentials, problems };
}

function entriesOf(text: string, provenance: string): JsonObject {
  const config = parseObject(text);
  if (config === undefined) {
    throw new DockerConfigError(provenance);
  }
  if (!("auths" in config)) {
    return config;
  }
  return isJsonObject(config["auths"]) ? config["auths"] : {};
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The host in "https://host/v1/", "host:port", and whatever else users write there. */
function hostOf(address: string): string | undefined {
  const url = /^https?:\/\//.test(address) ? address : `https://${address}`;
  // Not URL.host, which leaves out the scheme's default port.
  const host = /^https?:\/\/(?:[^/@]*@)?([^/?#]+)/.exec(url)?.[1];
  return host !== undefined && URL.canParse(url) ? host : undefined;
}

interface Login {
  readonly username: string;
  readonly password: string;
}

function loginOf(entry: JsonValue | undefined): Login | undefined {
  if (!isJsonObject(entry)) {
    return undefined;
  }
  const [auth, username, password] = [entry["auth"], entry["username"], entry["password"]];
  if (typeof auth === "string" && auth !== "") {
    return splitAuth(auth);
  }
  return typeof username === "string" && typeof password === "string" ? { username, password } : undefined;
}

/** Parses base64("user:password"); the password can contain colons. */
export function splitAuth(auth: string): Login | undefined {
  const text = Buffer.from(auth, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
