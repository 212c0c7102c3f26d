import { createHash } from "node:crypto";
import { runProgram } from "../run-program.ts";
import type { Entry } from "./entry.ts";
import { readTar } from "./tar.ts";

/** An unpacked Debian package. */
export interface Deb {
  /** Its fields, as the package has them. */
  readonly control: string;
  /** What dpkg keeps of it, e.g. `postinst` and `md5sums`, by name. */
  readonly kept: ReadonlyMap<string, Buffer>;
  readonly entries: readonly Entry[];
}

/** Reads a .deb file; it needs dpkg-deb of any architecture. */
export async function readDeb(path: string, signal: AbortSignal): Promise<Deb> {
  const unpack = (what: string): Promise<Buffer> =>
    runProgram({ program: "dpkg-deb", debianPackage: "dpkg", args: [what, path], signal });
  const kept = new Map<string, Buffer>();
  for (const entry of await readTar(await unpack("--ctrl-tarfile"))) {
    if (entry.kind === "file") {
      kept.set(entry.path, entry.content);
    }
  }
  const control = (kept.get("control") ?? Buffer.of()).toString().trimEnd();
  kept.delete("control");
  return { control, kept, entries: await readTar(await unpack("--fsys-tarfile")) };
}

/** A field of a package, e.g. `Package`; "" if it has none. */
export function fieldOf({ control }: Pick<Deb, "control">, name: string): string {
  return new RegExp(`^${name}: (.*)$`, "m").exec(control)?.[1] ?? "";
}

/** The name of a package in dpkg's database. */
export function databaseName(deb: Pick<Deb, "control">): string {
  const name = fieldOf(deb, "Package");
  return fieldOf(deb, "Multi-Arch") === "same" ? `${name}:${fieldOf(deb, "Architecture")}` : name;
}

/** The record of an installed package in /var/lib/dpkg/status. */
export function statusOf(deb: Deb): string {
  const [first = "", ...rest] = deb.control.split("\n");
  return [first, "Status: install ok installed", ...rest, ...conffilesOf(deb)].join("\n");
}

/** Files that an upgrade must not overwrite if somebody changed them, with their MD5 as it is now. */
function conffilesOf({ kept, entries }: Deb): readonly string[] {
  const paths = (kept.get("conffiles") ?? Buffer.of())
    .toString()
    .split("\n")
    .filter((path) => path.startsWith("/"));
  const lines = paths.flatMap((path) => {
    const found = entries.find((entry) => `/${entry.path}` === path);
    return found?.kind === "file"
      ? [` ${path} ${createHash("md5").update(found.content).digest("hex")}`]
      : [];
  });
  return lines.length === 0 ? [] : ["Conffiles:", ...lines];
}
