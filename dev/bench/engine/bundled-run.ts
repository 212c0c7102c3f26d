import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { nodeOptions } from "../../../scripts/build/node-options.ts";

const run = promisify(execFile);

/** As fluxd is started, and able to collect garbage before the heap is measured. */
const flags = [...nodeOptions.fluxd, "--expose-gc"];

/** A program of the benchmark, bundled as fluxd is: running TypeScript takes 40 MiB that nobody else needs. */
export class BundledRun {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Bundles a file of this folder into another one. */
  static async of(name: string, folder: string): Promise<BundledRun> {
    const file = join(folder, `${name}.mjs`);
    await build({
      entryPoints: [join(import.meta.dirname, `${name}.ts`)],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: file,
      logLevel: "error",
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    return new BundledRun(file);
  }

  /** The result of one run, as the program prints it. */
  async result<T>(args: readonly string[]): Promise<T> {
    const { stdout } = await run(process.execPath, [...flags, this.#file, ...args], {
      maxBuffer: 1 << 26,
    });
    return JSON.parse(stdout) as T;
  }
}

/** A stub server with these objects, until it's disposed. */
export async function startStub(
  kinds: readonly string[],
): Promise<AsyncDisposable & { readonly url: string }> {
  const file = join(import.meta.dirname, "stub-server.ts");
  const child = spawn(process.execPath, [file, ...kinds], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<Buffer>((resolve) => child.stdout.once("data", resolve));
  return {
    url: line.toString().trim(),
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "exit");
    },
  };
}
