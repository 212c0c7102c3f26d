import { parseImageRef } from "../../src/image/ref.ts";
import { parseTimestamp } from "../../src/image/timestamp.ts";
import { manifestKey, repositoryKey } from "../../src/registry/cache/keys.ts";
import { printEntry, printRepository } from "../../src/registry/cache/records.ts";
import { type Attack, refuse } from "./attack.ts";
import type { World } from "./world.ts";

export const memcachedAttacks: readonly Attack[] = [
  {
    name: "memcached: a forged image",
    async run(world) {
      const before = await world.repository.upstream("rev-parse", "master");
      await forge(world);
      const said = await world.saidAfter(
        () => world.fluxd.notifyImage("localhost:1", "app"),
        /9\.9\.9|image|automat/i,
      );
      await world.recover("a forged image");
      const log = await world.repository.upstream("log", "--format=%s", `${before}..master`);
      refuse(log.includes("9.9.9"), `committed: ${log}`);
      await world.memcached.ask("flush_all\r\n");
      return said.slice(0, 120);
    },
  },
];

/** Writes what a scan of a registry that has a newer image would have written. */
async function forge({ memcached }: World): Promise<void> {
  const now = parseTimestamp(new Date().toISOString());
  const image = parseImageRef("localhost:1/app:9.9.9");
  const info = {
    ref: image,
    digest: `sha256:${"9".repeat(64)}`,
    imageId: "",
    labels: {},
    ...(now ? { createdAt: now, lastFetched: now } : {}),
  };
  const record = {
    tags: ["9.9.9"],
    images: new Map([["9.9.9", info]]),
    lastError: "",
    ...(now ? { lastUpdate: now } : {}),
  };
  const values = [
    [repositoryKey(image), printRepository(record)],
    [manifestKey(image, "9.9.9"), printEntry({ kind: "image", info })],
  ] as const;
  const deadline = Buffer.alloc(4);
  deadline.writeUInt32BE(Math.floor(Date.now() / 1000) + 3_600);
  for (const [key, text] of values) {
    const value = Buffer.concat([deadline, Buffer.from(text)]).toString("latin1");
    await memcached.ask(`set ${key} 0 0 ${Buffer.byteLength(value, "latin1")}\r\n${value}\r\n`);
  }
}
