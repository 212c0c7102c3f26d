/**
 * The SSH key with which git is reached: read from where its Secret is mounted, or made anew and kept in
 * that Secret. As Flux v1's pkg/ssh and sshkeyring.go.
 */
import { chmod, mkdtemp, readFile, rename, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exec } from "../base/node/exec.ts";
import type { PublicSshKey, SshFingerprint } from "../cluster/cluster.ts";
import type { RestClient } from "../kube/client/rest.ts";
import { patchSecret, type SecretName } from "./secret-patch.ts";

/** Reads or renews the key. */
export interface SshKeyring {
  publicKey(): PublicSshKey;
  /** Makes a new key and stores it; on any failure the old one stays in use. */
  regenerate(signal: AbortSignal): Promise<void>;
}

/** Where the key is and how a new one is made; what ssh-keygen is not told is left to it. */
export interface SshKeySettings {
  readonly secret: SecretName;
  /** The folder at which the Secret is mounted. */
  readonly mountPath: string;
  /** The file of the private key in that folder. */
  readonly dataKey: string;
  /** A folder, best in memory, where new keys are made. */
  readonly keygenDir: string;
  readonly bits?: string;
  readonly type?: string;
  readonly format?: string;
}

/** For git URLs that need no SSH key, and outside of a cluster: there is no key. */
export const noKeyring: SshKeyring = {
  publicKey: () => ({ key: "", fingerprints: null }),
  regenerate: () => Promise.resolve(),
};

const privateKeyMode = 0o400;
const rootUser = 0;

/** Opens the keyring: reads the mounted key, or makes the first one where none is mounted. */
export async function openSshKeyring(
  settings: SshKeySettings,
  client: RestClient,
  signal: AbortSignal,
): Promise<SshKeyring & { readonly privateKeyPath: string }> {
  let path = join(settings.mountPath, settings.dataKey);
  let publicKey: PublicSshKey;
  if (await isMounted(path)) {
    await restrict(path);
    publicKey = await readPublicKey(path, signal);
  } else {
    ({ path, publicKey } = await generate(settings, client, signal));
  }
  return {
    get privateKeyPath() {
      return path;
    },
    publicKey: () => publicKey,
    regenerate: async (abort) => {
      ({ path, publicKey } = await generate(settings, client, abort));
    },
  };
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

interface MadeKey {
  readonly path: string;
  readonly publicKey: PublicSshKey;
}

/** Makes a key, stores it in the Secret, then puts it where git finds it. */
async function generate(settings: SshKeySettings, client: RestClient, signal: AbortSignal): Promise<MadeKey> {
  const dir = await mkdtemp(join(settings.keygenDir, "..weave-keygen"));
  const made = join(dir, "identity");
  await exec("ssh-keygen", ["-q", "-N", "", "-f", made, ...keygenOptions(settings)], signal);
  const publicKey = await readPublicKey(made, signal);
  await storeKey(settings.secret, await readFile(made), publicKey.key, client, signal);
  const path = join(settings.keygenDir, settings.dataKey);
  const link = join(dirname(made), "tmp-identity");
  await symlink(made, link);
  await rename(link, path);
  return { path, publicKey };
}

function keygenOptions({ bits, type, format }: SshKeySettings): readonly string[] {
  return [
    ...(bits === undefined ? [] : ["-b", bits]),
    ...(type === undefined ? [] : ["-t", type]),
    ...(format === undefined ? [] : ["-m", format]),
  ];
}

/** As Flux v1: the keys in the Secret are literal, whatever the data key is called. */
function storeKey(
  secret: SecretName,
  privateKey: Buffer,
  publicKey: string,
  client: RestClient,
  signal: AbortSignal,
): Promise<void> {
  const data = {
    identity: privateKey.toString("base64"),
    "identity.pub": Buffer.from(publicKey).toString("base64"),
  };
  return patchSecret(client, secret, { data }, signal);
}

async function readPublicKey(privateKeyPath: string, signal: AbortSignal): Promise<PublicSshKey> {
  const { stdout: key } = await exec("ssh-keygen", ["-y", "-f", privateKeyPath], signal);
  const [md5, sha256] = await Promise.all([
    fingerprint(privateKeyPath, "md5", signal),
    fingerprint(privateKeyPath, "sha256", signal),
  ]);
  return { key, fingerprints: { md5, sha256 } };
}

async function fingerprint(path: string, algorithm: string, signal: AbortSignal): Promise<SshFingerprint> {
  const { stdout } = await exec("ssh-keygen", ["-l", "-v", "-E", algorithm, "-f", path], signal);
  return parseFingerprint(stdout);
}

/** Takes apart what `ssh-keygen -l -v` prints: a line with the hash, then the picture. */
export function parseFingerprint(output: string): SshFingerprint {
  const end = output.indexOf("\n");
  const fields = /^\d+ [^:]+:([^ ]+) .*? \([^)]+\)$/.exec(output.slice(0, end));
  if (end < 0 || fields?.[1] === undefined) {
    throw new Error("could not parse the fingerprint that ssh-keygen printed");
  }
  return { hash: fields[1], randomart: output.slice(end + 1) };
}
