import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../../..");

/** Builds the console's page into `dist`, where what is released takes it from, as `npm run build:page` does. */
export async function builtPage(): Promise<void> {
  await promisify(execFile)(process.execPath, ["scripts/console-page.ts"], { cwd: root });
}
