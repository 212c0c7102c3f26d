import { contentsOfPage } from "../../../scripts/build/page-files.ts";
import { contentsOfPrograms } from "../../../scripts/build/program-contents.ts";
import { programEntries } from "./program-entries.ts";
import { ownUser } from "./tree/configuration.ts";
import { type Entry, folder, link } from "./tree/entry.ts";

/** The console with its page, and a folder for its data, which a volume may replace. */
export function consoleEntries(root: string, sourceDate: number): readonly Entry[] {
  const modified = { modified: sourceDate };
  const contents = [...contentsOfPrograms(root, ["weir-console"]), ...contentsOfPage(root)];
  return [
    ...programEntries("opt/weir", contents, sourceDate),
    folder("var/lib/weir-console", { uid: ownUser.id, gid: ownUser.id, mode: 0o700, ...modified }),
    link("usr/sbin/tini", "/usr/bin/tini", modified),
    link("usr/local/bin/weir-console", "/opt/weir/weir-console", modified),
  ];
}
