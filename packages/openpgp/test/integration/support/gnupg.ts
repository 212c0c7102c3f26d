import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { TempFolder } from "@weir/testing";

const run = promisify(execFile);

/** A home of the real gpg, with an agent of its own. */
export class GnuPg implements AsyncDisposable {
  readonly #folder = new TempFolder();

  constructor() {
    chmodSync(this.#folder.path, 0o700);
    // Or else the agent spends seconds to find out how slow it can make guessing of passphrases.
    this.#folder.write("gpg-agent.conf", "s2k-count 65536\n");
  }

  get home(): string {
    return this.#folder.path;
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, GNUPGHOME: this.home, LC_ALL: "C.UTF-8" };
  }

  /** Runs gpg; throws if it fails. */
  async run(args: readonly string[], input: Uint8Array | string = ""): Promise<Buffer> {
    const { code, stdout, stderr } = await this.try(args, input);
    if (code !== 0) {
      throw new Error(`gpg ${args.join(" ")}: ${stderr}`);
    }
    return stdout;
  }

  /** Runs gpg, and returns how it ended. */
  async try(
    args: readonly string[],
    input: Uint8Array | string = "",
  ): Promise<{ readonly code: number; readonly stdout: Buffer; readonly stderr: string }> {
    const all = ["--batch", "--no-tty", "--yes", "--pinentry-mode", "loopback", "--passphrase", "", ...args];
    const child = spawn("gpg", all, { env: this.env });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const [stdout, stderr, [code]] = await Promise.all([
      buffer(child.stdout),
      buffer(child.stderr),
      once(child, "close") as Promise<[number]>,
    ]);
    return { code, stdout, stderr: stderr.toString() };
  }

  /** Makes a key at a time, such as "20230101T000000", and returns its fingerprint. */
  async makeKey({
    userId,
    algorithm,
    usage = "sign",
    expires = "never",
    at = "20230101T000000",
  }: NewKey): Promise<string> {
    const { stderr } = await this.try([
      ...fakedTime(at),
      "--status-fd=2",
      "--quick-generate-key",
      userId,
      algorithm,
      usage,
      expires,
    ]);
    return created(stderr);
  }

  /** Adds a subkey, and returns its fingerprint. */
  async addSubkey(
    fingerprint: string,
    { algorithm, usage = "sign", expires = "never", at = "20230102T000000" }: Omit<NewKey, "userId">,
  ): Promise<string> {
    const before = await this.fingerprints(fingerprint);
    await this.run([...fakedTime(at), "--quick-add-key", fingerprint, algorithm, usage, expires]);
    const after = await this.fingerprints(fingerprint);
    return after.find((each) => !before.includes(each)) ?? "";
  }

  /** The primary key, and then the subkeys. */
  async fingerprints(key: string): Promise<readonly string[]> {
    const listed = await this.run(["--with-colons", "--with-subkey-fingerprint", "--list-keys", key]);
    return [...listed.toString().matchAll(/^fpr:+([0-9A-F]{40}):/gm)].map(([, each = ""]) => each);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run("gpgconf", ["--kill", "all"], { env: this.env });
    this.#folder[Symbol.dispose]();
  }
}

/** A key to make. */
export interface NewKey {
  readonly userId: string;
  readonly algorithm: string;
  readonly usage?: string;
  readonly expires?: string;
  readonly at?: string;
}

/** The arguments that let gpg believe in another time. */
export function fakedTime(at: string): readonly string[] {
  return ["--faked-system-time", `${at}!`];
}

function created(status: string): string {
  const fingerprint = /KEY_CREATED [BPS] ([0-9A-F]{40})/.exec(status)?.[1];
  if (fingerprint === undefined) {
    throw new Error(`no key was made: ${status}`);
  }
  return fingerprint;
}
