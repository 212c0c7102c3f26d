import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { TempFolder } from "@weir/testing";
import { keptBuild } from "@weir/toolchain";

const run = promisify(execFile);

const suite = "bookworm";

/** What docs/install.md relies on. Nothing in it needs Node.js. */
const packages = ["ca-certificates", "curl", "git", "libatomic1", "man-db", "openssh-client", "sudo"];

/** What a script printed, and how it ended. */
export interface ScriptResult {
  readonly code: number;
  /** Of both streams. */
  readonly output: string;
}

/** A root file system with a small Debian, for one test; it's removed when it's disposed. */
export class DebianRoot implements Disposable {
  readonly #folder = new TempFolder();

  /** Unpacks a fresh one. The first call downloads Debian's packages. */
  static async create(): Promise<DebianRoot> {
    const image = await debianImage();
    const root = new DebianRoot();
    await run("tar", ["--extract", "--numeric-owner", "--file", image, "--directory", root.path]);
    return root;
  }

  get path(): string {
    return this.#folder.path;
  }

  /** Copies a file of this machine into it. */
  async add(file: string, path: string): Promise<void> {
    const target = join(this.path, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(file, target);
  }

  /** Writes a file that only root can read. */
  async write(path: string, text: string): Promise<void> {
    const target = join(this.path, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text, { mode: 0o600 });
  }

  /** Runs a script of bash in it as root, in /root, until a command fails. It can reach servers on loopback. */
  run(script: string): Promise<ScriptResult> {
    const alone = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
    const bash = ["bash", "--norc", "-euxo", "pipefail", "-c", `cd; exec 2>&1; ${script}`];
    const args = [...alone, `--root=${this.path}`, ...bash];
    const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" };
    return new Promise((resolve) => {
      execFile("unshare", args, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
        const code = typeof error?.code === "number" ? error.code : error ? -1 : 0;
        resolve({ code, output: `${stdout}${stderr}` });
      });
    });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

async function debianImage(): Promise<string> {
  const folder = await keptBuild({
    name: "program-debian-root",
    hash: createHash("sha256")
      .update([suite, ...packages].join(" "))
      .digest("hex")
      .slice(0, 16),
    fill: async (unfinished) => {
      process.stderr.write("downloading a small Debian; this takes a minute\n");
      const args = ["--quiet", "--variant=apt", `--include=${packages.join(",")}`];
      await run("mmdebstrap", [...args, suite, join(unfinished, "root.tar")]);
    },
  });
  return join(folder, "root.tar");
}
