import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** What to compile. */
export interface CompileOptions {
  readonly root: string;
  /** Paths in the repository. What they import is compiled too. */
  readonly sources: readonly string[];
  /** The sources of the entry points of our packages. */
  readonly doors: ReadonlyMap<string, string>;
  /** Gets the code and its types, each file at its path in the repository. */
  readonly output: string;
  readonly signal: AbortSignal;
}

/** Runs the TypeScript compiler. Rejects, with what it says, if it finds an error. */
export async function compile({ root, sources, doors, output, signal }: CompileOptions): Promise<void> {
  mkdirSync(output, { recursive: true });
  const config = join(output, "tsconfig.json");
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        rewriteRelativeImportExtensions: true,
        rootDir: root,
        outDir: output,
        // Through node_modules, they would count as code of others, which the compiler doesn't emit.
        paths: Object.fromEntries([...doors].map(([door, source]) => [door, [join(root, source)]])),
        typeRoots: [join(root, "node_modules", "@types")],
      },
      include: [],
      files: sources.map((source) => join(root, source)),
    }),
  );
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    await promisify(execFile)(process.execPath, [tsc, "--project", config], { cwd: root, signal });
  } catch (error) {
    const { stdout = "" } = error as { readonly stdout?: string };
    throw stdout === "" ? error : new Error(`the libraries don't compile:\n${stdout}`, { cause: error });
  }
}
