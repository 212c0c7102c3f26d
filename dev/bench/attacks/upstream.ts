import { type Attack, refuse } from "./attack.ts";

const tinyFrames = 4_000_000;

export const upstreamAttacks: readonly Attack[] = [
  {
    name: "upstream: an endless response",
    async run(world) {
      const flood = world.around.upstream.floodNextEvent();
      await world.recover("trigger an event");
      const { mebibytes, refused } = await flood;
      refuse(!refused, `it still listened after ${mebibytes.toFixed(0)} MiB`);
      return `closed after ${mebibytes.toFixed(0)} MiB`;
    },
  },
  {
    name: "upstream: a message in four million frames",
    async run(world) {
      const taken = await world.around.upstream.sendTinyFrames(tinyFrames);
      refuse(taken === undefined, "the message was accepted");
      return `closed after ${taken} frames`;
    },
  },
];
