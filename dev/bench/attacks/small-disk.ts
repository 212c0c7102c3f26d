import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A small disk that can be filled without affecting anything else. */
export class SmallDisk implements Disposable {
  readonly #folder: string;

  /** Mounts the disk on an existing folder, which requires root. */
  constructor(folder: string, mebibytes: number) {
    this.#folder = folder;
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "none", folder]);
    mkdirSync(this.temporary);
  }

  /** The folder for TMPDIR. */
  get temporary(): string {
    return join(this.#folder, "tmp");
  }

  /** Fills the disk completely; `empty` frees the space. */
  fill(): void {
    const block = Buffer.alloc(2 ** 20);
    for (let size = block.length; size > 0; ) {
      try {
        writeFileSync(join(this.#folder, "filling"), block.subarray(0, size), { flag: "a" });
      } catch {
        size = Math.floor(size / 2);
      }
    }
  }

  empty(): void {
    rmSync(join(this.#folder, "filling"), { force: true });
  }

  [Symbol.dispose](): void {
    execFileSync("umount", ["-l", this.#folder]);
  }
}
