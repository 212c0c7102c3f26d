import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentsOfPrograms } from "../../../scripts/build/program-contents.ts";
import { programEntries } from "./program-entries.ts";
import { ownUser } from "./tree/configuration.ts";
import { type Entry, file, folder, link } from "./tree/entry.ts";

/** The programs of Weir's image. */
export const weirPrograms: readonly string[] = ["fluxctl", "fluxd"];

/** fluxd and fluxctl, where Flux's image has them, and what the Dockerfile copies beside them. */
export async function weirEntries(root: string, sourceDate: number): Promise<readonly Entry[]> {
  const modified = { modified: sourceDate };
  const owner = { uid: ownUser.id, gid: ownUser.id, ...modified };
  const docker = (name: string): Promise<Buffer> => readFile(join(root, "docker", name));
  const kubeconfig = await docker("kubeconfig");
  return [
    ...programEntries("opt/weir", contentsOfPrograms(root, weirPrograms), sourceDate),
    file("etc/ssh/ssh_known_hosts", await docker("known_hosts"), modified),
    file("etc/ssh/ssh_config", await docker("ssh_config"), modified),
    folder("root", { mode: 0o700, ...modified }),
    folder("root/.kube", modified),
    file("root/.kube/config", kubeconfig, modified),
    folder(ownUser.home, owner),
    folder(`${ownUser.home}/.kube`, owner),
    file(`${ownUser.home}/.kube/config`, kubeconfig, owner),
    link("usr/sbin/tini", "/usr/bin/tini", modified),
    link("usr/local/bin/fluxd", "/opt/weir/fluxd", modified),
    link("usr/local/bin/fluxctl", "/opt/weir/fluxctl", modified),
  ];
}
