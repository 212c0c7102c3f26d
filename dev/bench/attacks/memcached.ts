import { Forger } from "../../../test/support/forger.ts";
import { type Attack, refuse } from "./attack.ts";

export const memcachedAttacks: readonly Attack[] = [
  {
    name: "memcached: a forged image",
    async run(world) {
      await using forger = await Forger.start(world.around.memcached);
      const before = await world.around.repository.upstream("rev-parse", "master");
      const forge = (): Promise<void> => forger.forge("localhost:1/app", { "1.0.0": 1, "9.9.9": 2 });
      const said = await world.saidAfter(forge, /cannot verify cached image metadata/);
      const log = await world.around.repository.upstream("log", "--format=%s", `${before}..master`);
      await world.around.memcached.ask("flush_all\r\n");
      refuse(log !== "", `committed: ${log}`);
      return `nothing committed: ${said}`;
    },
  },
];
