/**
 * The SSH key with which git is reached: read from where its Secret is mounted, or made anew and kept in
 * that Secret. As Flux v1's pkg/ssh and sshkeyring.go.
 */
import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, Deadline, isJsonObject, Mutex, orAborted } from "@weir/base";
import type { RestClient } from "@weir/kube/rest";
import type { PublicSshKey } from "../cluster/cluster.ts";
import { patchSecret, type SecretName, secretPath } from "./secret-patch.ts";
import { type KeygenOptions, type MadeKey, type NewKey, SshKeyFolder } from "./ssh-key-folder.ts";
import { readPublicKey } from "./ssh-public-key.ts";

/** Reads or renews the key. */
export interface SshKeyring {
  publicKey(): PublicSshKey;
  /**
   * Makes a new key and stores it; on any failure the old one stays in use. Renewals are done one after the other, and
   * who asks while one is waiting for its turn shares it. The signal ends the waiting for it, never the renewal.
   */
  regenerate(signal: AbortSignal): Promise<void>;
}

/** A keyring that has to be left alone before the process ends. */
export interface OpenSshKeyring extends SshKeyring {
  readonly privateKeyPath: string;
  /** Resolves when no renewal is under way. */
  settled(): Promise<void>;
}

/** Where the key is and how a new one is made. */
export interface SshKeySettings extends KeygenOptions {
  readonly secret: SecretName;
  /** The folder at which the Secret is mounted. */
  readonly mountPath: string;
  /** The file of the private key in that folder. */
  readonly dataKey: string;
  /** A folder, best in memory, where new keys are made. */
  readonly keygenDir: string;
  readonly clock: Clock;
}

/** For git URLs that need no SSH key, and outside of a cluster: there is no key. */
export const noKeyring: SshKeyring = {
  publicKey: () => ({ key: "", fingerprints: null }),
  regenerate: () => Promise.resolve(),
};

const privateKeyMode = 0o400;
const rootUser = 0;

/** As Flux v1: the keys in the Secret are literal, whatever the data key is called. */
const storedKey = "identity";

/** How long the Secret may take, in milliseconds. */
const storeLimit = 30_000;

/** A private key, and what is told of it. */
interface UsedKey {
  readonly path: string;
  readonly publicKey: PublicSshKey;
}

/** Opens the keyring: reads the mounted key, or makes the first one where none is mounted. */
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
  const used = path === undefined ? await renewal.run() : await usedKey(path, signal);
  return new Keyring(used, renewal, signal);
}

async function usedKey(path: string, signal: AbortSignal): Promise<UsedKey> {
  return { path, publicKey: await readPublicKey(path, signal) };
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

/** Puts a new key in the place of the old one, in the Secret first, for that is what counts at the next start. */
class Renewal {
  readonly #settings: SshKeySettings;
  readonly #folder: SshKeyFolder;
  readonly #client: RestClient;
  /** Of the process. */
  readonly #signal: AbortSignal;

  constructor(settings: SshKeySettings, folder: SshKeyFolder, client: RestClient, signal: AbortSignal) {
    this.#settings = settings;
    this.#folder = folder;
    this.#client = client;
    this.#signal = signal;
  }

  /** What was begun to be stored is brought to its end, whatever ends meanwhile. */
  async run(): Promise<UsedKey> {
    const made = await this.#folder.make(this.#signal);
    await this.#store(made);
    await this.#folder.use(made);
    return { path: this.#folder.path, publicKey: made.publicKey };
  }

  /**
   * Goes on where another process of this pod was ended: a key that it made is used where the Secret holds it (the
   * mounted one is older then), and is else removed. Where the Secret does not tell, everything stays as it is.
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

  /** An answer may be lost after the Secret was written, so where writing fails the Secret itself is asked. */
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
      throw error;
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

/** Makes a mounted key one that ssh takes. */
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
 * True for a key file whose mode has to be changed before `user` may use it. ssh minds who else may read a key
 * only where that user owns it: in a pod that does not run as root, the key of a Secret is root's, and the pod's
 * group reads it.
 */
export function isTooOpen(file: { readonly mode: number; readonly uid: number }, user: number): boolean {
  const isOurs = user === file.uid || user === rootUser;
  return isOurs && (file.mode & 0o777) !== privateKeyMode;
}
