import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, KeptProcess, TempFolder, until } from "@weir/testing";
import { imageIn } from "../pods/delivered-image.ts";

const root = join(import.meta.dirname, "../../..");

/**
 * Mounts an image's files in a mount namespace of its own, under a layer that takes what is written and goes with it, and
 * over them what tests share with the programs that they start.
 */
const script = `
set -e
rootfs=$1 scratch=$2; shift 2
mount -t tmpfs scratch "$scratch"
cd "$scratch"
mkdir root upper work
mount -t overlay overlay -o "lowerdir=$rootfs,upperdir=upper,workdir=work" root
for path; do
  if [ -d "$path" ]; then
    mkdir -p "root$path"
  else
    : >>"root$path"
  fi
  mount --bind "$path" "root$path"
done
echo "$$" >"$scratch.pid"
exec sleep infinity`;

/** Devices, processes, names of hosts, temporary files, and the files of this repository. */
const shared = [
  "/dev",
  "/dev/pts",
  "/dev/shm",
  "/proc",
  "/etc/hosts",
  "/etc/resolv.conf",
  tmpdir(),
  root,
] as const;

/** An unpacked image whose programs tests start in its own root file system as if they were built here. */
export class EnteredImage implements AsyncDisposable {
  /** For WEIR_TEST_PROGRAMS: a folder with programs that start those of the image, with its tools on their PATH. */
  readonly programs: string;
  readonly #folder: TempFolder;
  readonly #holder: KeptProcess;

  private constructor(folder: TempFolder, holder: KeptProcess) {
    this.#folder = folder;
    this.#holder = holder;
    this.programs = join(folder.path, "programs");
  }

  /** Enters the image in a folder that `umoci unpack` made. It needs root. The mounts end with this process. */
  static async enter(bundle: string): Promise<EnteredImage> {
    const folder = new TempFolder();
    const scratch = join(folder.path, "scratch");
    await mkdir(scratch);
    const mount = ["--mount", "sh", "-ec", script, "sh", join(bundle, "rootfs"), scratch, ...shared];
    const holder = new KeptProcess(findProgram("unshare") ?? "unshare", mount, join(folder.path, "log"));
    const entered = new EnteredImage(folder, holder);
    try {
      await until("the mounts of the image", () => {
        holder.check();
        return existsSync(`${scratch}.pid`);
      });
      const pid = readFileSync(`${scratch}.pid`, "utf8").trim();
      await entered.#writePrograms(bundle, [`/proc/${pid}/ns/mnt`, join(scratch, "root")]);
      return entered;
    } catch (error) {
      await entered[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What a test puts before this machine's PATH stays before the image's. */
  async #writePrograms(bundle: string, [namespace, tree]: readonly [string, string]): Promise<void> {
    const path = imageIn(bundle).env?.["PATH"] ?? "";
    await mkdir(this.programs);
    const ofImage = ["fluxd", "fluxctl", "weir-console"].filter((program) =>
      existsSync(join(bundle, "rootfs", "opt", "weir", program)),
    );
    for (const program of ofImage) {
      const enter = `${tool("nsenter")} --mount=${namespace} -- ${tool("chroot")} ${quote(tree)}`;
      const text = `#!/bin/sh
own=\${PATH%${quote(process.env["PATH"] ?? "")}}
[ "$own" = "$PATH" ] || PATH=$own${path}
exec ${enter} /usr/bin/env --chdir="$PWD" /opt/weir/${program} "$@"
`;
      await writeFile(join(this.programs, program), text, { mode: 0o755 });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#holder.stop();
    this.#folder[Symbol.dispose]();
  }
}

/** Not by a PATH that a test sets. */
function tool(name: string): string {
  return quote(findProgram(name) ?? name);
}

/** A word for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
