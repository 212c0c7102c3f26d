/**
 * How soon fluxd answers in a pod after a switch from Flux v1, with 300 workloads: from the start of its container until
 * the first `fluxctl list-workloads` has printed them. `npm run build && node dev/bench/switch.ts`
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fluxctlInstall, fluxImage } from "../../test/support/flux-installs.ts";
import { weirImageName } from "../../test/support/pods/switch/images.ts";
import { crowd, manyWorkloads } from "../../test/support/pods/switch/many-workloads.ts";
import { SwitchWorld } from "../../test/support/pods/switch/switch-world.ts";
import { note, printTable, row } from "./support/table.ts";
import { until } from "./support/until.ts";

const workloads = 300;
const rounds = 3;
const limitSeconds = 5;
const namespace = "flux";

await using world = await SwitchWorld.start({
  namespace,
  files: manyWorkloads(workloads),
  install: ({ url: gitUrl }) =>
    fluxctlInstall({ namespace, gitUrl, gitEmail: "flux@example.test", registryDisableScanning: true }),
});
const times: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const known = await podFolders();
  await world.setImage(weirImageName);
  times.push(await firstAnswer(known));
  await world.switchTo(fluxImage);
  await world.standInIsDone();
}
console.log(
  printTable(`fluxd in a pod with ${workloads} workloads, ${rounds} switches`, [
    row("container start to the first list-workloads, slowest", {
      measured: Math.max(...times),
      limit: limitSeconds,
      unit: "s",
    }),
    note("the same, fastest", Math.min(...times), "s"),
  ]),
);

/** Seconds from the start of the container of a pod that isn't known yet until fluxctl has listed all workloads. */
async function firstAnswer(known: ReadonlySet<string>): Promise<number> {
  const list = async (): Promise<boolean> => {
    const { exit, stdout } = await world.fluxctl("list-workloads", "-n", crowd);
    return exit === 0 && stdout.split("\n").filter((line) => line.startsWith(crowd)).length === workloads;
  };
  await until("the workloads", list, 60);
  const answered = Date.now();
  const [pod] = [...(await podFolders())].filter((name) => !known.has(name));
  return (answered - (await containerStart(pod ?? ""))) / 1000;
}

/** The folders with the logs of fluxd's pods. */
async function podFolders(): Promise<ReadonlySet<string>> {
  const names = await readdir(logs());
  return new Set(names.filter((name) => name.startsWith(`${namespace}_flux-`)));
}

/** A container's log file is made when it's started. */
async function containerStart(pod: string): Promise<number> {
  const { birthtimeMs } = await stat(join(logs(), pod, "flux", "0.log"));
  return birthtimeMs;
}

function logs(): string {
  return join(world.pods.cluster.folder, "node", "logs");
}
