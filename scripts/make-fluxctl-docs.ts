/**
 * Writes docs/fluxctl.md from the table of commands: `node scripts/make-fluxctl-docs.ts`. The man pages are made of the
 * same by the build (scripts/build.ts), into dist/man.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readManual } from "./fluxctl-docs/manual.ts";
import { printMarkdown } from "./fluxctl-docs/markdown.ts";

writeFileSync(join(import.meta.dirname, "..", "docs", "fluxctl.md"), printMarkdown(await readManual()));
