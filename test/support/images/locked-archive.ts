import { copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { TempFolder } from "@weir/testing";
import type { Architecture } from "../../../dev/release/images/architecture.ts";
import { pinnedPackages } from "../../../dev/release/images/debian-packages.ts";
import { fetchedPackages } from "../../../dev/release/images/fetched-packages.ts";
import { readDeb } from "../../../dev/release/images/tree/deb.ts";
import { StaticServer } from "../static-server.ts";

/** An archive for apt with exactly the packages of docker/packages-lock.json, whatever Debian has by now. */
export class LockedArchive implements AsyncDisposable {
  readonly #folder: TempFolder;
  readonly #server: StaticServer;

  private constructor(folder: TempFolder, server: StaticServer) {
    this.#folder = folder;
    this.#server = server;
  }

  static async start(architecture: Architecture, signal: AbortSignal): Promise<LockedArchive> {
    const folder = new TempFolder();
    const { slim, full } = pinnedPackages(architecture);
    const pinned = [...slim, ...full];
    const records: string[] = [];
    for (const [index, path] of (await fetchedPackages(pinned, signal)).entries()) {
      const sha256 = pinned[index]?.sha256 ?? "";
      const { control } = await readDeb(path, signal);
      const { size } = await stat(path);
      await copyFile(path, join(folder.path, `${sha256}.deb`));
      records.push(`${control}\nFilename: ./${sha256}.deb\nSize: ${size}\nSHA256: ${sha256}\n`);
    }
    folder.write("Packages", records.join("\n"));
    return new LockedArchive(folder, await StaticServer.start(folder.path));
  }

  /** For apt's list of sources. */
  get source(): string {
    return `deb [trusted=yes] ${this.#server.url}/ ./`;
  }

  /** For apt's preferences: these versions before all others, older or newer. */
  get preferences(): string {
    return "Package: *\nPin: origin 127.0.0.1\nPin-Priority: 1001\n";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}
