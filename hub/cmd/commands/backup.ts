import { systemClock } from "@weir/base";
import type { LoadedCommand } from "@weir/cli";
import { writeBackupFile } from "../../src/program/backup-file.ts";
import { StartError } from "../../src/program/start-error.ts";
import type { SharedFlags } from "../flags.ts";
import type { ConsoleTerminal } from "../terminal.ts";
import { withDatabase } from "./database.ts";

/** `weir-console backup FILE` */
export function backupCommand(shared: SharedFlags, terminal: ConsoleTerminal): LoadedCommand {
  return {
    use: "backup FILE",
    long: `Writes all data of the console into a file, as it is at one moment, compressed with gzip.

With PostgreSQL, consoles can go on running meanwhile. An embedded database can be used by one process at a time: stop its console before. The file contains hashes of passwords and tokens, and encrypted secrets; the keys that encrypt them aren't in it, so keep a copy of the key file elsewhere.`,
    flags: [],
    run: async (args) => {
      const file = onlyFile(args, "backup");
      await withDatabase(shared, terminal, async (database) => {
        const rows = await writeBackupFile({ database, file, clock: systemClock }, terminal.stop.signal);
        terminal.out(`Wrote ${rows} rows to ${file}\n`);
      });
    },
  };
}

/** The only argument. Throws StartError. */
export function onlyFile([file, ...others]: readonly string[], command: string): string {
  if (file === undefined || others.length > 0) {
    throw new StartError(`name one file: weir-console ${command} FILE`);
  }
  return file;
}
