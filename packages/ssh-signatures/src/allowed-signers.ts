import { type AllowedSigner, parseAllowedSigner } from "./allowed-signer.ts";

/** What a file with allowed signers says. */
export interface AllowedSigners {
  readonly signers: readonly AllowedSigner[];
  /** Lines that have no effect because of a mistake. As with ssh-keygen, the others stay in effect. */
  readonly problems: readonly LineProblem[];
}

/** A line that has no effect because of a mistake. */
export interface LineProblem {
  /** Counted from 1. */
  readonly line: number;
  /** What to do, such as `write the value of namespaces in double quotes`. It doesn't quote the line. */
  readonly remedy: string;
}

/** Reads a file with allowed signers, in the format that ssh-keygen(1) describes. Never fails: see `problems`. */
export function parseAllowedSigners(file: Uint8Array): AllowedSigners {
  const signers: AllowedSigner[] = [];
  const problems: LineProblem[] = [];
  // One character for each byte: patterns match bytes, as in OpenSSH.
  const lines = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString("latin1").split("\n");
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const outcome = parseAllowedSigner(beforeNul(text));
    if (outcome.kind === "signer") {
      signers.push({ line, ...outcome.signer });
    } else if (outcome.kind === "invalid") {
      problems.push({ line, remedy: outcome.reason });
    }
  }
  return { signers, problems };
}

/** For OpenSSH, a NUL ends the line. */
function beforeNul(line: string): string {
  const nul = line.indexOf("\0");
  return nul === -1 ? line : line.slice(0, nul);
}
