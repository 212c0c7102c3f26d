/**
 * Records test/fixtures/files.jsonl, and test/fixtures/example.yaml for the README: encrypts the inputs with the real sops, decrypts them again, and stores both files.
 * Run it with sops and gpg on the path: `node packages/sops/test/record/record.ts`. The keys in test/fixtures/keys were
 * made for these tests and protect nothing.
 */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Input, inputs } from "./inputs.ts";

const fixtures = join(import.meta.dirname, "../fixtures");
const keys = join(fixtures, "keys");

/** What the names in the inputs stand for. */
const recipients: readonly (readonly [name: string, recipient: string])[] = [
  ["AGE", /public key: (\S+)/.exec(readFileSync(join(keys, "age.txt"), "utf8"))?.[1] ?? ""],
  ["RSA", "51721800CC7BB89E4FB20AC940C4A628964D6305"],
  ["EC", "C76D793BB5608B11E3D76480BB6994B906A7D359"],
];

/** The share of the data key that a PGP key decrypts, so that tests need no OpenPGP. */
interface Share {
  readonly fingerprint: string;
  /** In base64. */
  readonly share: string;
}

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), "sops-record-"));
  try {
    const home = join(folder, "gnupg");
    mkdirSync(home);
    chmodSync(home, 0o700);
    const environment = { ...process.env, GNUPGHOME: home, SOPS_AGE_KEY_FILE: join(keys, "age.txt") };
    const run = (command: string, ...args: readonly string[]): Buffer =>
      execFileSync(command, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "inherit"] });
    for (const name of ["rsa.asc", "ec.asc"]) {
      run("gpg", "--batch", "--import", join(keys, name));
    }
    const lines = inputs.map((input) => {
      console.log(input.name);
      return JSON.stringify(record(input, folder, run));
    });
    writeFileSync(join(fixtures, "files.jsonl"), `${lines.join("\n")}\n`);
    console.log(`${lines.length} files recorded`);
    run("gpgconf", "--kill", "all");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Run = (command: string, ...args: readonly string[]) => Buffer;

function record(input: Input, folder: string, run: Run): object {
  const { name, extension, content } = input;
  const plain = `input.${extension}`;
  writeFileSync(join(folder, plain), content);
  const rule = indented(named(input.rule ?? "age: AGE\n"));
  writeFileSync(join(folder, ".sops.yaml"), `creation_rules:\n- path_regex: .*\n${rule}`);
  const chosen = (input.arguments ?? []).map(named);
  const encrypted = run("sops", "encrypt", ...chosen, plain);
  writeFileSync(join(folder, `encrypted.${extension}`), encrypted);
  const decrypted = decryptedWith(run, `encrypted.${extension}`);
  if (name === "a Secret with age") {
    writeFileSync(join(fixtures, "example.yaml"), encrypted);
  }
  const shares = sharesOf(encrypted.toString(), folder, run);
  return {
    name,
    format: extension === "bin" ? "binary" : extension,
    encrypted: encrypted.toString(),
    plain: decrypted?.toString("base64") ?? null,
    shares,
  };
}

/** Sops can't read everything that it writes: undefined if so. */
function decryptedWith(run: Run, file: string): Buffer | undefined {
  try {
    return run("sops", "decrypt", file);
  } catch {
    return undefined;
  }
}

function sharesOf(encrypted: string, folder: string, run: Run): readonly Share[] {
  const text = encrypted.replaceAll("\\n", "\n").replaceAll(/^ +/gm, "");
  const messages = text.match(/-----BEGIN PGP MESSAGE-----[^]*?-----END PGP MESSAGE-----/g) ?? [];
  return messages.map((message) => {
    writeFileSync(join(folder, "message.asc"), message);
    const status = run(
      "gpg",
      "--batch",
      "--status-fd=1",
      "--quiet",
      "--output=share",
      "--yes",
      "--decrypt",
      "message.asc",
    );
    const [, , fingerprint = ""] = /DECRYPTION_KEY (\S+) (\S+)/.exec(status.toString()) ?? [];
    return { fingerprint, share: readFileSync(join(folder, "share")).toString("base64") };
  });
}

function named(text: string): string {
  return recipients.reduce(
    (result, [name, recipient]) => result.replaceAll(new RegExp(`\\b${name}\\b`, "g"), recipient),
    text,
  );
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

main();
