import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { consoleFiles } from "../../build/console-files.ts";
import { ownUser } from "./tree/configuration.ts";
import { type Entry, file, folder, link } from "./tree/entry.ts";

/** What a build makes for people. Anything else in `dist`, such as a release that's being made, may change meanwhile. */
const delivered: ReadonlySet<string> = new Set(["THIRD-PARTY-NOTICES.txt", "fluxctl", "fluxd", "lib", "man"]);

/** In `lib`: what only `weir demo` and the console use, and the cache that Node.js fills for the folder and the machine that it runs on. */
const leftOut: ReadonlySet<string> = new Set([
  ".compile-cache",
  "demo-repository",
  "start-weir.cjs",
  "weir.cjs",
  "weir.cjs.LEGAL.txt",
  ...consoleFiles,
]);

/** fluxd and fluxctl, where Flux's image has them, and what the Dockerfile copies beside them. */
export async function weirEntries(root: string, sourceDate: number): Promise<readonly Entry[]> {
  const modified = { modified: sourceDate };
  const owner = { uid: ownUser.id, gid: ownUser.id, ...modified };
  const docker = (name: string): Promise<Buffer> => readFile(join(root, "docker", name));
  const kubeconfig = await docker("kubeconfig");
  const isDelivered = ({ name }: Dirent): boolean => delivered.has(name);
  return [
    ...(await entriesOf(join(root, "dist"), { to: "opt/weir", modified: sourceDate, isTaken: isDelivered })),
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

/** Where the entries of a folder go, the time they show, and which of its children are taken, with all they hold. */
interface Taking {
  readonly to: string;
  readonly modified: number;
  readonly isTaken: (child: Dirent) => boolean;
}

async function entriesOf(from: string, { to, modified, isTaken }: Taking): Promise<readonly Entry[]> {
  const entries: Entry[] = [folder(to, { modified })];
  for (const child of (await readdir(from, { withFileTypes: true })).filter(isTaken)) {
    const [source, path] = [join(from, child.name), `${to}/${child.name}`];
    if (child.isDirectory()) {
      const isTakenInside = ({ name }: Dirent): boolean => !leftOut.has(name);
      entries.push(...(await entriesOf(source, { to: path, modified, isTaken: isTakenInside })));
    } else if (child.isFile()) {
      const isExecutable = ((await stat(source)).mode & 0o100) !== 0;
      entries.push(file(path, await readFile(source), { mode: isExecutable ? 0o755 : 0o644, modified }));
    }
  }
  return entries;
}
