import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseContext } from "../../dev/release/context.ts";

/** What the steps of a release get that puts all it makes below this folder. Version 1.2.3, if nothing else is given. */
export function releaseContext(folder: string, given: Partial<ReleaseContext> = {}): ReleaseContext {
  const context = {
    root: join(import.meta.dirname, "..", ".."),
    version: "1.2.3",
    commit: "0123456789012345678901234567890123456789",
    sourceDate: 1_700_000_000,
    out: join(folder, "out"),
    work: join(folder, "work"),
    say: () => undefined,
    signal: new AbortController().signal,
    ...given,
  };
  mkdirSync(context.out, { recursive: true });
  mkdirSync(context.work, { recursive: true });
  return context;
}
