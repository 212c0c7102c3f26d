import { messageOf } from "@weir/base";
import { ExecError } from "@weir/base/node";
import { isApiReason } from "@weir/kube";
import type { SecretName } from "./secret-patch.ts";

/** The SSH key can't be read, made, or stored. The message says what to do. */
export class SshKeyError extends Error {
  override readonly name = "SshKeyError";
}

/** The Secret holds a key that isn't mounted. A new key would replace it, and git servers may know only the old one. */
export function unmountedKey(secret: SecretName, mounted: string): SshKeyError {
  return new SshKeyError(
    `there is no SSH key at ${mounted}, but the Secret ${printName(secret)} holds one: mount the Secret there, or say where it's mounted with --k8s-secret-volume-mount-path. fluxd doesn't make a new key, because that would replace the one in the Secret. If that was stored just now, it can take a minute until it's mounted`,
  );
}

/** The file of a key is there, but ssh-keygen can't use it. */
export function unusableKey(secret: SecretName, path: string, error: unknown): unknown {
  if (!(error instanceof ExecError) || error.exitCode === undefined) {
    return error;
  }
  const remedy = error.stderr.includes("Permission denied")
    ? "let fluxd's user read the file. If the pod doesn't run as root, set fsGroup in its securityContext, or use the tag of Weir's image that ends in -root"
    : `put a private SSH key without a passphrase into the Secret ${printName(secret)}, or remove the key from it to have fluxd make one`;
  return new SshKeyError(`cannot use the SSH key ${path}: ${error.stderr.trim()}: ${remedy}`, {
    cause: error,
  });
}

/** No key can be made in the folder for new keys. */
export function unusableKeygenDir(folder: string, error: unknown): SshKeyError {
  return new SshKeyError(
    `cannot make an SSH key in ${folder}: ${messageOf(error)}: mount a writable volume there, such as an emptyDir, or name another folder with --ssh-keygen-dir`,
    { cause: error },
  );
}

/** A new key can't be stored; any error that isn't about rights or the Secret's absence stays as it is. */
export function unstoredKey(secret: SecretName, error: unknown): unknown {
  const what = `cannot store the new SSH key in the Secret ${printName(secret)}: ${messageOf(error)}`;
  if (isApiReason(error, "Forbidden")) {
    const remedy = `grant fluxd's service account the verb patch on secrets in the namespace ${secret.namespace}, or store a key in the Secret yourself`;
    return new SshKeyError(`${what}: ${remedy}`, { cause: error });
  }
  if (isApiReason(error, "NotFound")) {
    const create = `kubectl create secret generic ${secret.name} --namespace=${secret.namespace}`;
    return new SshKeyError(`${what}: create it with \`${create}\`, or name another with --k8s-secret-name`, {
      cause: error,
    });
  }
  return error;
}

function printName({ namespace, name }: SecretName): string {
  return `${namespace}/${name}`;
}
