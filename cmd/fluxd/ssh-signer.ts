import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { describeFileError, messageOf } from "@weir/base";
import { ExecError, exec } from "@weir/base/node";
import type { Signer } from "../../src/git/signature.ts";

/** How long a signature can take, in milliseconds. */
const timeLimit = 30_000;

/** An SSH key can't sign. The message names its file and what to do. */
export class SigningKeyError extends Error {
  override readonly name = "SigningKeyError";
  readonly key: string;

  constructor(key: string, reason: string, options?: ErrorOptions) {
    super(`SSH signing key ${key}: ${reason}`, options);
    this.key = key;
  }
}

/**
 * Signs with the private SSH key in a file, which only ssh-keygen reads. Makes a first signature, and rejects with
 * SigningKeyError if that isn't possible.
 */
export async function openSshSigner(path: string): Promise<Signer> {
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw new SigningKeyError(path, describeFileError("open", path, error), { cause: error });
  });
  const signer: Signer = { sign: (data) => sign(path, data) };
  await signer.sign(Buffer.from("check"));
  return signer;
}

async function sign(path: string, data: Uint8Array): Promise<string> {
  const args = ["-Y", "sign", "-n", "git", "-f", path];
  const context = { input: data, env: unattended() };
  const { stdout } = await exec("ssh-keygen", args, AbortSignal.timeout(timeLimit), context).catch(
    (error: unknown) => {
      throw new SigningKeyError(path, reasonOf(error), { cause: error });
    },
  );
  if (!/^-----BEGIN SSH SIGNATURE-----\n[^-]+\n-----END SSH SIGNATURE-----\n$/.test(stdout)) {
    throw new SigningKeyError(path, "ssh-keygen made no signature; install OpenSSH 8.2p1 or later");
  }
  return stdout;
}

/** ssh-keygen asks nobody for a passphrase, and no agent for another key. */
function unattended(): NodeJS.ProcessEnv {
  const { SSH_AUTH_SOCK: _agent, ...env } = process.env;
  return { ...env, SSH_ASKPASS: "false", SSH_ASKPASS_REQUIRE: "force" };
}

const remedies: readonly (readonly [said: RegExp, remedy: string])[] = [
  [
    /passphrase/,
    "it is protected by a passphrase; remove it from a copy of the file with 'ssh-keygen -p -N \"\" -f COPY'",
  ],
  [
    /bad permissions|are too open/,
    "others can read it, so ssh-keygen doesn't use it; allow only its owner to read it, with defaultMode 0400 for a Secret",
  ],
  [
    /Couldn't load public key/,
    "it isn't a private key in OpenSSH's format; name the file with the private key, and convert one in another format with 'ssh-keygen -p -N \"\" -f COPY'",
  ],
];

function reasonOf(error: unknown): string {
  if (!(error instanceof ExecError) || error.exitCode === undefined) {
    return `ssh-keygen can't be run to its end, which signs with SSH keys; install openssh-client 8.2p1 or later: ${messageOf(error)}`;
  }
  const said = error.stderr
    .trim()
    .split(/\s*[\r\n]+/)
    .join("; ");
  return remedies.find(([words]) => words.test(said))?.[1] ?? `ssh-keygen can't sign with it: ${said}`;
}
