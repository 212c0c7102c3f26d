import { runFluxctl } from "../../cmd/fluxctl/run.ts";
import type { FluxctlResult } from "./fluxctl.ts";

const nobody = {
  ...{ GIT_CONFIG_COUNT: "2", GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "" },
  ...{ GIT_CONFIG_KEY_1: "user.email", GIT_CONFIG_VALUE_1: "" },
};

/** Runs fluxctl in the process of the test, with nothing but PATH and `env` around it. */
export async function runOwnFluxctl(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<FluxctlResult> {
  // fluxctl asks git, which has this process's environment, who runs it: not whom this machine's configuration names.
  Object.assign(process.env, nobody);
  let [stdout, stderr] = ["", ""];
  const exit = await runFluxctl(args, {
    out: (text) => void (stdout += text),
    err: (text) => void (stderr += text),
    env: { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", ...env },
  });
  return { exit, stdout, stderr };
}
