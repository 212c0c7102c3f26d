import { readFile } from "node:fs/promises";
import { describeFileError, type Logger, messageOf } from "@weir/base";
import type { AllowedSigners, LineProblem } from "@weir/ssh-signatures";
import type { KeyVerifier, Signer } from "../../src/git/signature.ts";
import { StartupError } from "./startup-checks.ts";

/** The signer with the private SSH key in a file. Rejects if it can't be used. */
export async function openSshSigner(path: string): Promise<Signer> {
  const { sshSigner } = await import("@weir/ssh-signatures");
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new Error(describeFileError("open", path, error), { cause: error });
  });
  try {
    return await sshSigner(bytes, path);
  } finally {
    bytes.fill(0);
  }
}

/**
 * Verifies SSH signatures with a file of allowed signers, which is read again when it changes. Throws StartupError if
 * it can't be read at the start.
 */
export async function openSshVerifier(
  path: string,
  logger: Logger,
  signal: AbortSignal,
): Promise<KeyVerifier> {
  const { AllowedSignersFile, verifySshSignature } = await import("@weir/ssh-signatures");
  const file = new AllowedSignersFile(path);
  let current: AllowedSigners = await file.read(signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new StartupError({ err: `--git-ssh-allowed-signers: ${messageOf(error)}` });
  });
  tellProblems(path, current.problems, logger);
  return {
    async reload(each) {
      const before = current;
      current = await file.read(each);
      if (current !== before) {
        tellProblems(path, current.problems, logger);
      }
      return current !== before;
    },
    verify: ({ data, signature, at }) => {
      const text = Buffer.from(signature).toString("latin1");
      return Promise.resolve(
        verifySshSignature({ data, signature: text, ...(at === undefined ? {} : { at }) }, current),
      );
    },
  };
}

function tellProblems(path: string, problems: readonly LineProblem[], logger: Logger): void {
  if (problems.length > 0) {
    const lines = problems.map(({ line, remedy }) => `line ${line}: ${remedy}`).join("; ");
    logger.log({ warning: `ignoring lines of ${path} with mistakes`, err: lines });
  }
}
