import { readFile } from "node:fs/promises";
import { goProgram } from "@weir/toolchain";
import { runTool } from "../run-tool.ts";
import { invalidPages } from "./code-signature.ts";

/** An executable to sign. */
export interface MacSigning {
  readonly executable: string;
  /** What the signature calls it. */
  readonly identity: string;
}

/**
 * Signs an executable for macOS without an identity ("ad hoc"), in place: on Apple's processors, none runs without a
 * signature that fits its bytes. Throws if the result has none.
 */
export async function signForMac({ executable, identity }: MacSigning, signal: AbortSignal): Promise<void> {
  const quill = await goProgram("quill", { signal });
  const args = ["sign", executable, "--ad-hoc", `--identity=${identity}`, "--quiet"];
  await runTool({ program: quill, args }, signal);
  const invalid = invalidPages(await readFile(executable, { signal }));
  if (invalid !== 0) {
    throw new Error(`${executable}: the signature doesn't fit ${invalid} pages`);
  }
}
