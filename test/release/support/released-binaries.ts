import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import { type HttpServer, serve } from "@weir/testing";
import { type Platform, platforms } from "../../../scripts/release/binaries/platforms.ts";
import { releaseProgram } from "../../../scripts/release/binaries/release-program.ts";
import { checksumsFile, checksumsOf, printChecksums } from "../../../scripts/release/checksums.ts";
import type { ReleaseContext } from "../../../scripts/release/context.ts";

/** The one that the tests of executables are for. */
export const linux: Platform = present(
  platforms.find(({ system, architecture }) => system === "linux" && architecture === "amd64"),
);

/** Releases both programs for Linux, with checksums; resolves to the paths of the files. */
export async function releaseForLinux(context: ReleaseContext): Promise<readonly string[]> {
  const made: string[] = [];
  for (const program of linux.programs) {
    made.push(...(await releaseProgram({ program, platform: linux }, context)));
  }
  const checksums = printChecksums(await checksumsOf(context.out, context.signal));
  await writeFile(join(context.out, checksumsFile), checksums);
  return made;
}

/** Serves the files of a folder. */
export function publish(folder: string): Promise<HttpServer> {
  return serve(({ url = "/" }, response) => {
    createReadStream(join(folder, normalize(decodeURIComponent(url))))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });
}

function present<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error("no programs are released for Linux on amd64");
  }
  return value;
}
