/**
 * The SSH key for git: read from its mounted Secret, or generated and stored in that Secret. Like Flux v1's pkg/ssh and
 * sshkeyring.go.
 */
import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, Deadline, isJsonObject, Mutex, orAborted } from "@weir/base";
import type { PublicSshKey } from "@weir/flux";
import { isApiReason } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import { patchSecret, type SecretName, secretPath } from "./secret-patch.ts";
import { unmountedKey, unstoredKey, unusableKey } from "./ssh-key-errors.ts";
import { type KeygenOptions, type MadeKey, type NewKey, SshKeyFolder } from "./ssh-key-folder.ts";
import { readPublicKey } from "./ssh-public-key.ts";

/** Reads or renews the key. */
export interface SshKeyring {
  publicKey(): PublicSshKey;
  /**
   * Generates a new key and stores it; after any failure, the old one stays in use. Renewals run one after another, and
   * callers that arrive while one is waiting share it. The signal ends the waiting, but never the renewal.
   */
  regenerate(signal: AbortSignal): Promise<void>;
}

/** A keyring that must be idle before the process ends. */
export interface OpenSshKeyring extends SshKeyring {
  readonly privateKeyPath: string;
  /** Resolves when no renewal is running. */
  settled(): Promise<void>;
}

/** Where the key is, and how to generate a new one. */
export interface SshKeySettings extends KeygenOptions {
  readonly secret: SecretName;
  /** The folder where the Secret is mounted. */
  readonly mountPath: string;
  /** The private key's file in that folder. */
  readonly dataKey: string;
  /** A folder for generating keys, preferably in memory. */
  readonly keygenDir: string;
  readonly clock: Clock;
}

/** For git URLs that need no SSH key, and outside of a cluster: there's no key. */
export const noKeyring: SshKeyring = {
  publicKey: () => ({ key: "", fingerprints: null }),
  regenerate: () => Promise.resolve(),
};

const privateKeyMode = 0o400;
const rootUser = 0;

/** As in Flux v1, the keys in the Secret are fixed, whatever the data key is called. */
const storedKey = "identity";

/** The time limit for writing the Secret, in milliseconds. */
const storeLimit = 30_000;

/** A private key, and its public data. */
interface UsedKey {
  readonly path: string;
  readonly publicKey: PublicSshKey;
}

/** Opens the keyring: reads the mounted key, or generates the first one if none is mounted. */
export async function openSshKeyring(
  settings: SshKeySettings,
  client: RestClient,
  signal: AbortSignal,
): Promise<OpenSshKeyring> {
  const folder = new SshKeyFolder(settings.keygenDir, settings.dataKey, settings);
  const renewal = new Renewal(settings, folder, client, signal);
  const resumed = await renewal.resume(settings.dataKey);
  const mounted = join(settings.mountPath, settings.dataKey);
  const isThere = await isMounted(mounted);
  if (isThere) {
    await restrict(mounted);
  }
  const isNewest = resumed === undefined || (isThere && resumed.bytes.equals(await readFile(mounted)));
  const path = isThere && isNewest ? mounted : resumed && folder.path;
  const used =
    path === undefined ? await firstKey(settings, renewal, mounted) : await usedKey(settings, path, signal);
  return new Keyring(used, renewal, signal);
}

/**
 * Makes a key where there is none. Unlike Flux v1, never replaces one that the Secret holds: if it isn't mounted, that
 * is a mistake in the Deployment, and git servers know only the old key.
 */
async function firstKey(
  { secret, dataKey }: SshKeySettings,
  renewal: Renewal,
  mounted: string,
): Promise<UsedKey> {
  if (await renewal.isStored(dataKey)) {
    throw unmountedKey(secret, mounted);
  }
  return renewal.run();
}

async function usedKey({ secret }: SshKeySettings, path: string, signal: AbortSignal): Promise<UsedKey> {
  try {
    return { path, publicKey: await readPublicKey(path, signal) };
  } catch (error) {
    throw unusableKey(secret, path, error);
  }
}

class Keyring implements OpenSshKeyring {
  readonly #renewal: Renewal;
  readonly #signal: AbortSignal;
  readonly #turns = new Mutex();
  #used: UsedKey;
  #next: Promise<void> | undefined;

  constructor(used: UsedKey, renewal: Renewal, signal: AbortSignal) {
    this.#used = used;
    this.#renewal = renewal;
    this.#signal = signal;
  }

  get privateKeyPath(): string {
    return this.#used.path;
  }

  publicKey(): PublicSshKey {
    return this.#used.publicKey;
  }

  async regenerate(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#next ??= this.#turns.run(async () => {
      this.#next = undefined;
      this.#signal.throwIfAborted();
      this.#used = await this.#renewal.run();
    });
    await orAborted(this.#next, signal);
  }

  settled(): Promise<void> {
    return this.#turns.run(() => Promise.resolve());
  }
}

/** Replaces the old key with a new one, in the Secret first, because that's what counts at the next start. */
class Renewal {
  readonly #settings: SshKeySettings;
  readonly #folder: SshKeyFolder;
  readonly #client: RestClient;
  /** The process's signal. */
  readonly #signal: AbortSignal;

  constructor(settings: SshKeySettings, folder: SshKeyFolder, client: RestClient, signal: AbortSignal) {
    this.#settings = settings;
    this.#folder = folder;
    this.#client = client;
    this.#signal = signal;
  }

  /** Once storing has started, it runs to its end, whatever else ends in the meantime. */
  async run(): Promise<UsedKey> {
    const made = await this.#folder.make(this.#signal);
    await this.#store(made);
    await this.#folder.use(made);
    return { path: this.#folder.path, publicKey: made.publicKey };
  }

  /**
   * Continues after another process of this pod was ended. A key that it generated is used if the Secret contains it
   * (the mounted one is older then), and is removed otherwise. If the Secret can't be read, everything stays as it is.
   */
  async resume(dataKey: string): Promise<MadeKey | undefined> {
    const keys = await this.#folder.made();
    const stored = keys.length === 0 ? undefined : await this.#storedKey(dataKey).catch(() => undefined);
    if (stored === undefined) {
      return undefined;
    }
    const current = keys.find(({ bytes }) => bytes.length > 0 && bytes.equals(stored));
    await (current === undefined ? this.#folder.removeUnused() : this.#folder.use(current));
    return current;
  }

  /** True if the Secret holds a key; false if it's missing, or fluxd isn't allowed to read it. */
  async isStored(dataKey: string): Promise<boolean> {
    try {
      return (await this.#storedKey(dataKey)).length > 0;
    } catch (error) {
      if (["NotFound", "Forbidden"].some((reason) => isApiReason(error, reason))) {
        return false;
      }
      throw error;
    }
  }

  /** The response may get lost after the Secret was written, so if writing fails, the Secret itself is read. */
  async #store(made: NewKey): Promise<void> {
    const data = {
      [storedKey]: made.bytes.toString("base64"),
      "identity.pub": Buffer.from(made.publicKey.key).toString("base64"),
    };
    try {
      using limit = new Deadline(this.#settings.clock, storeLimit);
      await patchSecret(this.#client, this.#settings.secret, { data }, limit.signal);
    } catch (error) {
      const stored = await this.#storedKey(storedKey).catch(() => undefined);
      if (stored?.equals(made.bytes) === true) {
        return;
      }
      if (stored !== undefined) {
        await this.#folder.discard(made);
      }
      throw unstoredKey(this.#settings.secret, error);
    }
  }

  async #storedKey(dataKey: string): Promise<Buffer> {
    const { secret: name, clock } = this.#settings;
    using limit = new Deadline(clock, storeLimit);
    const { signal } = limit;
    const secret = await this.#client.json({ method: "GET", path: secretPath(name), signal });
    const data = isJsonObject(secret) ? secret["data"] : undefined;
    const value = isJsonObject(data) ? data[dataKey] : undefined;
    return Buffer.from(typeof value === "string" ? value : "", "base64");
  }
}

async function isMounted(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return false;
    }
    throw new Error(`checking for mounted secret: ${path}`, { cause: error });
  }
}

/** Changes the mode of a mounted key so that ssh accepts it. */
async function restrict(path: string): Promise<void> {
  if (isTooOpen(await stat(path), process.getuid?.() ?? rootUser)) {
    try {
      await chmod(path, privateKeyMode);
    } catch (error) {
      throw new Error(`failed to chmod identity file ${path}`, { cause: error });
    }
  }
}

/**
 * True for a key file whose mode must be changed before `user` can use it. ssh checks who else can read a key only if
 * that user owns it: in a pod that doesn't run as root, the key from a Secret belongs to root, and the pod's group
 * reads it.
 */
export function isTooOpen(file: { readonly mode: number; readonly uid: number }, user: number): boolean {
  const isOurs = user === file.uid || user === rootUser;
  return isOurs && (file.mode & 0o777) !== privateKeyMode;
}
