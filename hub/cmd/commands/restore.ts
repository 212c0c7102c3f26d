import { systemClock } from "@weir/base";
import type { LoadedCommand } from "@weir/cli";
import { restoreBackupFile } from "../../src/program/backup-file.ts";
import type { SharedFlags } from "../flags.ts";
import type { ConsoleTerminal } from "../terminal.ts";
import { onlyFile } from "./backup.ts";
import { withDatabase } from "./database.ts";

/** `weir-console restore FILE` */
export function restoreCommand(shared: SharedFlags, terminal: ConsoleTerminal): LoadedCommand {
  return {
    use: "restore FILE",
    long: `Reads all data from a file that \`weir-console backup\` has written, into an empty database.

The database can be of the other kind, and this version can be newer than the one that wrote the file. If anything is wrong, no data is written. Start the console with the key file that it had: the secrets of notifications are encrypted with it. Everybody has to log in again.`,
    flags: [],
    run: async (args) => {
      const file = onlyFile(args, "restore");
      await withDatabase(shared, terminal, async (database) => {
        const rows = await restoreBackupFile({ database, file, clock: systemClock }, terminal.stop.signal);
        terminal.out(`Restored ${rows} rows from ${file}\n`);
      });
    },
  };
}
