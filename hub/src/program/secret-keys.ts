import { randomBytes } from "node:crypto";
import { open, readFile, stat, writeFile } from "node:fs/promises";
import { describeFileError, errorCode, isMissing } from "@weir/base";
import { parseSecretKeys, SecretBox } from "../secret-box/secret-box.ts";
import { StartError } from "./start-error.ts";

/** Of the permissions of a file, those of everybody but its owner and group. */
const othersMay = 0o007;

/** Reads the keys with which the secrets of channels are encrypted. Throws StartError or SecretBoxError. */
export async function openSecretBox(file: string): Promise<SecretBox> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new StartError(
      `cannot read the key file: ${describeFileError("open", file, error)}: make one with \`openssl rand -base64 32\`, and name it with --secret-key-file`,
      { cause: error },
    );
  });
  await mustBePrivate(file);
  return new SecretBox(parseSecretKeys(text));
}

/** The same, and makes the file with a new key if there's none. */
export async function openOwnSecretBox(file: string): Promise<SecretBox> {
  try {
    await writeFile(file, `${randomBytes(32).toString("base64")}\n`, { flag: "wx", mode: 0o600 });
    await flush(file);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") {
      throw new StartError(`cannot write the key file: ${describeFileError("open", file, error)}`, {
        cause: error,
      });
    }
  }
  return openSecretBox(file);
}

/** Who can read the key can read what a stolen backup has encrypted. */
async function mustBePrivate(file: string): Promise<void> {
  const { mode } = await stat(file).catch((error: unknown) => {
    throw isMissing(error) ? new StartError(`the key file ${file} is gone`, { cause: error }) : error;
  });
  if (process.platform !== "win32" && (mode & othersMay) !== 0) {
    throw new StartError(`everybody can read the key file ${file}: run \`chmod o= ${file}\``);
  }
}

/** A key must not be lost when what it has encrypted isn't. */
async function flush(file: string): Promise<void> {
  await using handle = await open(file, "r");
  await handle.sync();
}
