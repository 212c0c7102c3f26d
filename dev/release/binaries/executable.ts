import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nodeOptions } from "../../../scripts/build/node-options.ts";
import { runTool } from "../run-tool.ts";
import type { Bundles } from "./bundles.ts";
import { bundleEmbedded } from "./embedded-code.ts";
import type { Program } from "./platforms.ts";

/** An executable to build. */
export interface ExecutableOptions {
  readonly program: Program;
  readonly bundles: Bundles;
  /** Compiled code by the names of scripts; empty if it can't be had for that platform. */
  readonly code: ReadonlyMap<string, string>;
  /** The path of the Node.js to put it into. */
  readonly node: string;
  /** The path of a Node.js of the same version, that runs on this machine. */
  readonly builder: string;
  /** A folder of its own, for what is needed on the way. */
  readonly work: string;
  readonly output: string;
}

/**
 * Writes a copy of Node.js with a program and all that it loads in it: a single executable application. The same input
 * gives the same bytes.
 */
export async function buildExecutable(options: ExecutableOptions, signal: AbortSignal): Promise<void> {
  const { program, bundles, code, node, builder, work, output } = options;
  await mkdir(work, { recursive: true });
  await bundleEmbedded("run", work, {
    PROGRAM: JSON.stringify(program),
    COMPILED: JSON.stringify([...code.keys()]),
  });
  const files = bundles.files.map((name) => [name, join(bundles.folder, name)] as const);
  const compiled = [...code].map(([name, path]) => [`${name}.code`, path] as const);
  const config = {
    // The executable contains this name, which must not depend on where it's built.
    main: "run.cjs",
    executable: node,
    output,
    disableExperimentalSEAWarning: true,
    useCodeCache: false,
    execArgv: nodeOptions[program],
    assets: Object.fromEntries([...files, ...compiled]),
  };
  const configFile = join(work, "executable.json");
  await writeFile(configFile, JSON.stringify(config));
  await runTool({ program: builder, args: ["--build-sea", configFile], cwd: work }, signal);
  await chmod(output, 0o755);
}
