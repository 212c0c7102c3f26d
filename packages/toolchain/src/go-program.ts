import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "./find-program.ts";
import { keptBuild } from "./kept-build.ts";
import { sourceHash } from "./source-hash.ts";

const programs = join(import.meta.dirname, "..", "programs");

/** A program in the folder `programs`, as its `program.json` describes it. */
interface GoProgram {
  /** The package with its `main` function. */
  readonly package: string;
  /** Values of variables that its own release sets, e.g. its version, by their full names. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What a program is built for; by default this machine. */
export interface Target {
  /** As GOOS has it, e.g. "linux". */
  readonly system?: string;
  /** As GOARCH has it, e.g. "amd64". */
  readonly architecture?: string;
  readonly signal?: AbortSignal;
}

/** Those of this machine, by Node.js's names. */
const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * The path of a program that is built from Go's module proxy: static, of the version that
 * `packages/toolchain/programs/<name>/go.mod` pins, and with checksums in the go.sum beside it. The first call takes
 * minutes, later ones milliseconds: see `keptBuild`. The same sources give the same bytes.
 */
export async function goProgram(name: string, target: Target = {}): Promise<string> {
  const { system = process.platform, architecture = architectures[process.arch] ?? process.arch } = target;
  const source = join(programs, name);
  const description = readFileSync(join(source, "program.json"), "utf8");
  const program = JSON.parse(description) as GoProgram;
  const flags = Object.entries(program.variables).map(([variable, value]) => `-X ${variable}=${value}`);
  const hash = createHash("sha256")
    .update(await sourceHash(source))
    .update(description);
  const folder = await keptBuild({
    name: `program-${name}-${system}-${architecture}`,
    hash: hash.digest("hex").slice(0, 16),
    fill: async (unfinished) => {
      process.stderr.write(`building ${name} for ${system}/${architecture}; this takes minutes\n`);
      const args = ["build", "-trimpath", "-mod=readonly", "-buildvcs=false"];
      const ldflags = ["-s", "-w", "-buildid=", ...flags].join(" ");
      await promisify(execFile)(
        findProgram("go") ?? "go",
        [...args, "-ldflags", ldflags, "-o", join(unfinished, name), program.package],
        {
          cwd: source,
          env: { ...process.env, CGO_ENABLED: "0", GOOS: system, GOARCH: architecture, GOFLAGS: "" },
          maxBuffer: 16 * 1024 * 1024,
          ...(target.signal === undefined ? {} : { signal: target.signal }),
        },
      );
    },
    ...(target.signal === undefined ? {} : { signal: target.signal }),
  });
  return join(folder, name);
}
