/**
 * Hostile repositories, callers, upstreams and servers, one after the other against one fluxd on a real control
 * plane. What it costs is watched from a thread of its own: the memory of fluxd and of all it starts, and how long
 * a ping takes. After each attack a harmless commit must reach the cluster. `node bench/attacks.ts`, or with words
 * that the attacks' names hold, as `node bench/attacks.ts git body`.
 */
import { apiAttacks } from "./attacks/api.ts";
import type { Attack } from "./attacks/attack.ts";
import { gitAttacks } from "./attacks/git.ts";
import { kubernetesAttacks } from "./attacks/kubernetes.ts";
import { machineAttacks } from "./attacks/machine.ts";
import { manifestAttacks } from "./attacks/manifests.ts";
import { memcachedAttacks } from "./attacks/memcached.ts";
import { upstreamAttacks } from "./attacks/upstream.ts";
import { watchFluxd } from "./attacks/watch.ts";
import { webhookAttacks } from "./attacks/webhooks.ts";
import { World } from "./attacks/world.ts";

/** What fluxd and all it starts may hold, in MiB, and how long a ping may take, in seconds. */
const limits = { memory: 400, ping: 1 } as const;

const all: readonly Attack[] = [
  ...apiAttacks,
  ...webhookAttacks,
  ...upstreamAttacks,
  ...memcachedAttacks,
  ...manifestAttacks,
  ...gitAttacks,
  ...kubernetesAttacks,
  ...machineAttacks,
];

const words = process.argv.slice(2);
const chosen = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const failures: string[] = [];

await using world = await World.start();
await world.recover("before anything");
await using watch = await watchFluxd(world.around.fluxd.pid, `${world.around.fluxd.apiUrl}/v11/ping`);

console.log("| attack | what became of it | peak memory | slowest ping |");
console.log("| --- | --- | --- | --- |");
for (const attack of chosen) {
  await watch.next();
  const outcome = await outcomeOf(attack);
  const { peakMiB, slowestPing, failedPings } = await watch.next();
  const [memory, ping] = [`${peakMiB.toFixed(0)} MiB`, `${slowestPing.toFixed(2)} s`];
  console.log(`| ${attack.name} | ${outcome} | ${memory} | ${ping} |`);
  failures.push(
    ...(peakMiB > limits.memory ? [`${attack.name}: ${memory} of memory`] : []),
    ...(slowestPing > limits.ping ? [`${attack.name}: a ping took ${ping}`] : []),
    ...(failedPings > 0 ? [`${attack.name}: ${failedPings} pings failed`] : []),
  );
}
const { highest } = await watch.next();
console.log(`\nfluxd alone held at most ${highest.toFixed(0)} MiB; limits: ${JSON.stringify(limits)}`);
for (const failure of failures) {
  console.log(`MISSED ${failure}`);
}
process.exitCode = failures.length === 0 ? 0 : 1;

/** Carries an attack out and sees that fluxd is well again. What goes wrong is an outcome like another. */
async function outcomeOf(attack: Attack): Promise<string> {
  try {
    const outcome = await attack.run(world);
    await world.recover(attack.name);
    return outcome;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    failures.push(`${attack.name}: ${message.slice(0, 2_000)}`);
    console.error(world.around.fluxd.log.split("\n").slice(-20).join("\n"));
    return `GOT THROUGH: ${(message.split("\n", 1)[0] ?? "").slice(0, 160)}`;
  }
}
