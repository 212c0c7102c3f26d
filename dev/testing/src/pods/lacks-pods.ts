import { lacks } from "../machine.ts";

/**
 * For the `skip` option of a test: why this machine cannot run pods, false where it can. With CI=true a test that is
 * left out fails the run (scripts/test.ts).
 */
export function lacksPods(): string | false {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    return "needs root on Linux: pods are processes in namespaces of their own";
  }
  return lacks("Go") || lacks("kubectl") || lacks("iproute2") || lacks("util-linux");
}
