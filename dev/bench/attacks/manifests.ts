import { type Attack, refuse } from "./attack.ts";
import type { World } from "./world.ts";

const failure = /err="loading resources|\berr=.*\bname\b/;

export const manifestAttacks: readonly Attack[] = [
  {
    name: "manifests: a plain scalar of 31 MB",
    run: (world) => syncFiles(world, { "huge.yaml": `a: ${"x".repeat(31 * 2 ** 20)}\n` }),
  },
  {
    name: "manifests: six documents of 480,000 keys",
    run: (world) =>
      syncFiles(world, Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`keys-${n}.yaml`, keys(480_000)]))),
  },
  {
    name: "manifests: the text of a Secret in an error",
    async run(world) {
      const canary = "canary-7d1e-value";
      const secret = (line: string): string =>
        `{ apiVersion: v1, kind: Secret, metadata: { name: s } }\n---\n${line}\n`;
      const files = { "a.yaml": secret(`p: {{${canary}}}`), "b.yaml": secret(`p: !!int ${canary}`) };
      const said = await syncFiles(world, files);
      refuse(world.around.fluxd.log.includes(canary), "the value is in the log");
      return said;
    },
  },
  {
    name: "manifests: a name that writes to the terminal",
    async run(world) {
      const name = "\\e]0;owned\\a";
      await syncFiles(world, {
        "name.yaml": `{ apiVersion: v1, kind: ConfigMap, metadata: { name: "${name}" } }\n`,
      });
      const answer = await fetch(`${world.around.fluxd.apiUrl}/v12/events`);
      refuse((await answer.text()).includes("\u001b"), "the response contains the escape unchanged");
      refuse(world.around.fluxd.log.includes("\u001b"), "the log contains the escape unchanged");
      return "escaped in responses and log";
    },
  },
];

/** Makes fluxd sync files that it must refuse, and removes them; resolves to the error. */
async function syncFiles(world: World, files: Readonly<Record<string, string>>): Promise<string> {
  const said = await world.saidAfter(async () => {
    await world.around.repository.push(files, "harmless");
    await world.notify();
  }, failure);
  await world.around.repository.push(
    Object.fromEntries(Object.keys(files).map((name) => [name, null])),
    "removed",
  );
  return said;
}

function keys(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => `  k${index}: v\n`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: keys }\ndata:\n${lines.join("")}`;
}
