import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { keptBuild } from "@weir/toolchain";
import type { ReleaseContext } from "../context.ts";
import { runTool } from "../run-tool.ts";
import type { Architecture } from "./architecture.ts";

type Sources = Pick<ReleaseContext, "root" | "signal">;

/** When Debian's packages were pinned, in seconds since the epoch: the time of all files in layers that have nothing of ours. */
export async function pinnedAt({ root }: Pick<ReleaseContext, "root">): Promise<number> {
  const text = await readFile(join(root, "docker/debian/date"), "utf8");
  return Date.parse(text.trim().replace(/(\d{4})(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5")) / 1000;
}

/** The folder that docker/debian.sh makes for an architecture, which stays as long as the script and the packages do. */
export async function unpackedDebian({ name }: Architecture, { root, signal }: Sources): Promise<string> {
  const hash = createHash("sha256");
  for (const file of ["debian.sh", "debian/date", `debian/${name}-base`, `debian/${name}-tools`]) {
    hash.update(await readFile(join(root, "docker", file)));
  }
  return keptBuild({
    name: `debian-${name}`,
    hash: hash.digest("hex").slice(0, 16),
    fill: async (folder) => {
      const args = [join(root, "docker/debian.sh"), name, folder];
      await runTool({ program: "sh", args }, signal);
    },
    signal,
  });
}
