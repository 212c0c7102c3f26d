import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { lacks, TempFolder } from "@weir/testing";
import { goProgram } from "@weir/toolchain";

/** For the `skip` option of a test: why this machine can't run helm, false where it can. */
export function lacksHelm(): string | false {
  return lacks("Go");
}

/** How a run of helm ended. */
export interface HelmResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs helm, however it ends. Without a kubeconfig, it knows no cluster. */
export async function runHelm(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<HelmResult> {
  const program = await goProgram("helm");
  // It caches there what API servers have.
  using home = new TempFolder();
  const options = { env: { HOME: home.path, ...env }, maxBuffer: 64 * 1024 * 1024 };
  return await promisify(execFile)(program, args, options).then(
    ({ stdout, stderr }) => ({ exit: 0, stdout, stderr }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
      if (typeof code !== "number") {
        throw error;
      }
      return { exit: code, stdout: stdout ?? "", stderr: stderr ?? "" };
    },
  );
}

/** Runs a helm that must succeed; resolves to what it printed. */
export async function helm(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { exit, stdout, stderr } = await runHelm(args, env);
  if (exit !== 0) {
    throw new Error(`helm ${args.join(" ")} failed: ${stderr}${stdout}`);
  }
  return stdout;
}
