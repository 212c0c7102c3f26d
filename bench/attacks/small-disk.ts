import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A disk that can be filled without harm to anybody else. */
export class SmallDisk implements Disposable {
  readonly #folder: string;

  /** Mounts it at a folder that is there, which takes root. */
  constructor(folder: string, mebibytes: number) {
    this.#folder = folder;
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "none", folder]);
    mkdirSync(this.temporary);
  }

  /** For TMPDIR. */
  get temporary(): string {
    return join(this.#folder, "tmp");
  }

  /** Fills it to the last byte; `empty` gives the room back. */
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
