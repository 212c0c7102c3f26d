import { existsSync, readFileSync } from "node:fs";
import { podKubectl } from "./pod-kubectl.ts";
import { runProgram } from "./run-program.ts";

const mounted = "/etc/fluxd/ssh/identity";
const generated = "/var/fluxd/keygen/identity";

/** The path of the deploy key: the mounted one, or a new one that is stored in the Secret as Flux v1 stores it. */
export async function openDeployKey(secret: string): Promise<string> {
  if (existsSync(mounted)) {
    return mounted;
  }
  await runProgram("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", generated]);
  const base64 = (path: string): string => readFileSync(path).toString("base64");
  const data = { identity: base64(generated), "identity.pub": base64(`${generated}.pub`) };
  await podKubectl(["patch", "secret", secret, "-p", JSON.stringify({ data })]);
  return generated;
}

/** The public half of a deploy key. */
export function publicKeyOf(path: string): Promise<string> {
  return runProgram("ssh-keygen", ["-y", "-f", path]);
}
