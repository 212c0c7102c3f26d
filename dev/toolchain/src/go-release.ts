import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProgram } from "./find-program.ts";

/** The release of Go that programs are built with: another one would give other bytes. */
export const goRelease = "go1.26.8";

/** What a program is built for, as GOOS and GOARCH have it. */
export interface GoTarget {
  readonly system: string;
  readonly architecture: string;
}

/** Names of architectures, by Node.js's. */
const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** This machine. */
export const ownTarget: GoTarget = {
  system: process.platform,
  architecture: architectures[process.arch] ?? process.arch,
};

/** Go, as it's called to build a program. */
export interface Go {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Go in the pinned release. If another one is installed, it downloads that release from the module proxy, and checks it
 * against the checksum database. Throws with what to install if there's no Go, or one that can't do that.
 */
export async function pinnedGo(target: GoTarget, signal?: AbortSignal): Promise<Go> {
  const program = findProgram("go");
  if (program === undefined) {
    throw new Error(`Go is missing: install Go 1.21 or newer, which downloads ${goRelease} itself`);
  }
  const env = goEnvironment(target, process.env);
  const { stdout } = await promisify(execFile)(program, ["env", "GOVERSION"], { env, signal });
  if (stdout.trim() !== goRelease) {
    throw new Error(
      `${program} is ${stdout.trim()} and can't provide ${goRelease}: install Go 1.21 or newer, which downloads it`,
    );
  }
  return { program, env };
}

/** An environment for Go in which nothing of the machine's own settings changes what is built. */
export function goEnvironment(
  { system, architecture }: GoTarget,
  given: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    ...given,
    GOTOOLCHAIN: goRelease,
    GOWORK: "off",
    GOFLAGS: "-trimpath -mod=readonly -buildvcs=false",
    GOEXPERIMENT: "",
    GOFIPS140: "off",
    CGO_ENABLED: "0",
    GOOS: system,
    GOARCH: architecture,
    GOAMD64: "v1",
    GOARM64: "v8.0",
  };
}
