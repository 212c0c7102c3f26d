import { execFile } from "node:child_process";
import { copyFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@weir/testing";

const run = promisify(execFile);

const emulator = "qemu-aarch64-static";

/** An unpacked image for arm64, whose programs run on this machine by emulation, in the image's own root file system. */
export class EmulatedImage {
  readonly #rootfs: string;

  private constructor(rootfs: string) {
    this.#rootfs = rootfs;
  }

  /** Puts the emulator into the image that `umoci unpack` made a folder of, and a device that programs open. */
  static async prepare(bundle: string): Promise<EmulatedImage> {
    const image = new EmulatedImage(join(bundle, "rootfs"));
    await image.add(findProgram(emulator) ?? emulator);
    await mkdir(join(image.#rootfs, "dev"), { recursive: true });
    await run("mknod", ["--mode=666", join(image.#rootfs, "dev", "null"), "c", "1", "3"]);
    return image;
  }

  /** Copies a program of this machine into its root folder; resolves to its path there. */
  async add(program: string): Promise<string> {
    const path = `/${basename(program)}`;
    await copyFile(program, join(this.#rootfs, path));
    return path;
  }

  /**
   * What a program printed on both streams. It's started by the emulator, since the kernel of this machine can't: it must be
   * no script, and start no others.
   */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    const env = { PATH: "/opt/weir:/usr/local/bin:/usr/bin:/bin", HOME: "/root" };
    const chroot = findProgram("chroot") ?? "chroot";
    const { stdout, stderr } = await run(chroot, [this.#rootfs, `/${emulator}`, program, ...args], { env });
    return stdout + stderr;
  }
}
