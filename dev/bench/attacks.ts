/**
 * Runs hostile repositories, callers, upstreams, and servers, one after the other, against one fluxd on a
 * real control plane. A separate thread measures the cost: the memory of fluxd and its child processes, and
 * the latency of a ping. After each attack, a harmless commit must reach the cluster. `node
 * dev/bench/attacks.ts`, or with words from the names of attacks, such as `node dev/bench/attacks.ts git body`.
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

/** The limits: memory of fluxd and its child processes in MiB, and latency of a ping in seconds. */
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
await world.recover("before the attacks");
await using watch = await watchFluxd(world.around.fluxd.pid, `${world.around.fluxd.apiUrl}/v11/ping`);

console.log("| attack | outcome | peak memory | slowest ping |");
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
console.log(`\nfluxd alone used at most ${highest.toFixed(0)} MiB; limits: ${JSON.stringify(limits)}`);
for (const failure of failures) {
  console.log(`MISSED ${failure}`);
}
process.exitCode = failures.length === 0 ? 0 : 1;

/** Runs an attack and checks that fluxd recovers. A failure is an outcome too. */
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
