import { type LoadedCommand, text } from "@weir/cli";
import { StartError } from "../../src/program/start-error.ts";
import { migrate, migrateTo, migrationStatus } from "../../src/store/migrate.ts";
import type { SharedFlags } from "../flags.ts";
import type { ConsoleTerminal } from "../terminal.ts";
import { withDatabase } from "./database.ts";

/** `weir-console migrate [--down-to NAME]` */
export function migrateCommand(shared: SharedFlags, terminal: ConsoleTerminal): LoadedCommand {
  const downTo = text("down-to", {
    usage:
      "Undo the migrations after this one, to go back to an older version, such as 0007-notifications; what only newer versions know is lost",
  });
  return {
    use: "migrate",
    long: `Changes the tables to what this version needs, as each start does, and lists the migrations.

To go back to an older version, stop all consoles, make a backup, and run \`migrate --down-to\` of the newer version with the last migration that the older one knows.`,
    flags: [downTo],
    run: async (args) => {
      if (args.length > 0) {
        throw new StartError("migrate takes no arguments: weir-console migrate [--down-to NAME]");
      }
      await withDatabase(shared, terminal, async (database) => {
        const known = await migrationStatus(database);
        const target = downTo.value;
        if (target !== "" && known.find(({ name }) => name === target)?.doneAt === null) {
          throw new StartError(
            `--down-to=${target} isn't done yet, so that nothing can be undone down to it`,
          );
        }
        if (target !== "" && !known.some(({ name }) => name === target)) {
          const names = known.map(({ name }) => name).join(", ");
          throw new StartError(`there is no migration ${JSON.stringify(target)}: choose one of ${names}`);
        }
        const changed = await (target === "" ? migrate(database) : migrateTo(database, target));
        for (const { name, doneAt } of await migrationStatus(database)) {
          const state = doneAt === null ? "not done" : "done";
          terminal.out(`${name}  ${state}${changed.includes(name) ? " now" : ""}\n`);
        }
      });
    },
  };
}
