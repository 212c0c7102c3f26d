import { writeFileSync } from "node:fs";
import { goProgram } from "@weir/toolchain";
import { runTool } from "../run-tool.ts";

/** Signs with a private key, which is a file, or anything else that cosign's `--key` takes. */
export interface Signer {
  readonly key: string;
  readonly signal: AbortSignal;
}

/** For what is public only when its owner says so: nothing is written to a public log, and cosign asks nothing. */
const offline = ["--tlog-upload=false", "--yes"];

/** Signs a file; the signature is in `<file>.sig`. Resolves to that path. The password is in COSIGN_PASSWORD. */
export async function signFile(file: string, { key, signal }: Signer): Promise<string> {
  const signature = `${file}.sig`;
  await cosign(["sign-blob", ...offline, "--key", key, "--output-signature", signature, file], signal);
  return signature;
}

/** Signs images in a registry; the signatures are next to them. They are named by digest, so that nobody can swap them. */
export async function signImages(
  images: readonly string[],
  { key, signal }: Signer,
  options: readonly string[] = [],
): Promise<void> {
  const loose = images.find((image) => !/@sha256:[0-9a-f]{64}$/.test(image));
  if (loose !== undefined) {
    throw new Error(
      `${loose} isn't named by its digest (NAME@sha256:…), so it could be another image by now`,
    );
  }
  for (const image of images) {
    await cosign(["sign", ...offline, ...options, "--key", key, image], signal);
  }
}

/** Writes the public key of a private one to a file. */
export async function writePublicKey(file: string, { key, signal }: Signer): Promise<string> {
  writeFileSync(file, await cosign(["public-key", "--key", key], signal));
  return file;
}

/** The password is never an argument. Where there is none, an empty one keeps cosign from asking. */
async function cosign(args: readonly string[], signal: AbortSignal): Promise<string> {
  const env = { COSIGN_PASSWORD: process.env["COSIGN_PASSWORD"] ?? "" };
  return runTool({ program: await goProgram("cosign", { signal }), args, env }, signal);
}
