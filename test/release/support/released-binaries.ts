import { createReadStream } from "node:fs";
import { basename, join } from "node:path";
import { serve } from "@weir/testing";
import { type Platform, platforms } from "../../../dev/release/binaries/platforms.ts";
import { releaseProgram } from "../../../dev/release/binaries/release-program.ts";
import type { ReleaseContext } from "../../../dev/release/context.ts";
import { downloadsStep } from "../../../dev/release/downloads.ts";
import { provenanceStep } from "../../../dev/release/supply/step.ts";

/** The one that the tests of executables are for. */
export const linux: Platform = present(
  platforms.find(({ system, architecture }) => system === "linux" && architecture === "amd64"),
);

/** Releases both programs for Linux, with provenance and checksums; resolves to the paths of the files. */
export async function releaseForLinux(context: ReleaseContext): Promise<readonly string[]> {
  for (const program of linux.programs) {
    await releaseProgram({ program, platform: linux }, context);
  }
  const made = await downloadsStep(context);
  await provenanceStep(context);
  return made;
}

/** A release that is published. */
export interface PublishedRelease extends AsyncDisposable {
  /** The address that the names of files are appended to. */
  readonly url: string;
}

/**
 * Serves the files at the top of a folder as a Git host serves those that are attached to a release: without folders,
 * and at another address than the one that is asked for.
 */
export async function publish(folder: string): Promise<PublishedRelease> {
  const attached = "/weirdev/weir/releases/download/v1.2.3";
  const server = await serve(({ url = "/" }, response) => {
    const name = basename(decodeURIComponent(url));
    if (url === `${attached}/${name}`) {
      response.writeHead(302, { location: `/storage/${name}` }).end();
      return;
    }
    if (url !== `/storage/${name}`) {
      response.writeHead(404).end();
      return;
    }
    createReadStream(join(folder, name))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });
  return { url: `${server.url}${attached}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error("no programs are released for Linux on amd64");
  }
  return value;
}
