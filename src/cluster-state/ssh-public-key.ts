import { exec } from "@weir/base/node";
import type { PublicSshKey, SshFingerprint } from "@weir/flux";

/** The public half of a private key's file, and its fingerprints, according to ssh-keygen. */
export async function readPublicKey(privateKeyPath: string, signal: AbortSignal): Promise<PublicSshKey> {
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

/** Parses the output of `ssh-keygen -l -v`: a line with the hash, then the picture. */
function parseFingerprint(output: string): SshFingerprint {
  const end = output.indexOf("\n");
  const fields = /^\d+ [^:]+:([^ ]+) .*? \([^)]+\)$/.exec(output.slice(0, end));
  if (end < 0 || fields?.[1] === undefined) {
    throw new Error("cannot parse the fingerprint that ssh-keygen printed");
  }
  return { hash: fields[1], randomart: output.slice(end + 1) };
}
