/** Commits with the files that they changed, as `git log` lists them: the command, and its parser. */
import type { ChangedFile, ChangeLogQuery, FileVersion, LoggedCommit } from "@weir/flux";
import { type GitCommand, outside } from "./commands.ts";

/** Begins a commit in the output: no hash and no path begins with this character. */
const mark = "\u0002";

/**
 * Lists commits with the files that they changed, newest first, as they are in the repository. The same query always
 * has the same result, so that `skip` can continue a list. A renamed file counts as deleted and created.
 */
export function changeLog({
  range,
  paths,
  skip,
  limit,
}: ChangeLogQuery): GitCommand<readonly LoggedCommit[]> {
  const format = `--format=%x02%H%x00%P%x00%ct%x00%an <%ae>%x00%s%x00`;
  const how = ["--raw", "-z", "--no-abbrev", "--no-renames", "--root", format];
  const which = [`--skip=${skip}`, `--max-count=${limit}`, outside("git ref", range)];
  return {
    args: ["--no-replace-objects", "--literal-pathspecs", "log", ...how, ...which, "--", ...paths],
    prints: "history",
    holdsPaths: true,
    parse: ({ stdout }) => parseChangeLog(stdout),
  };
}

/** Parses the output of that command: the fields of a commit, then for each file a line about its versions and its path. */
export function parseChangeLog(output: string): readonly LoggedCommit[] {
  const words = output.split("\0");
  const commits: LoggedCommit[] = [];
  for (let at = 0; at < words.length; ) {
    const [first = "", parents = "", seconds = "", author = "", message = ""] = words.slice(at, at + 5);
    if (!first.startsWith(mark)) {
      at += 1;
      continue;
    }
    const files: ChangedFile[] = [];
    for (at += 5; at < words.length && !words[at]?.startsWith(mark); ) {
      const file = parseFile(words[at] ?? "", words[at + 1] ?? "");
      files.push(...(file === undefined ? [] : [file]));
      at += file === undefined ? 1 : 2;
    }
    commits.push({
      revision: first.slice(mark.length),
      parents: parents.split(" ").filter((parent) => parent !== ""),
      committedAt: new Date(Number(seconds) * 1000),
      author,
      message,
      files,
    });
  }
  return commits;
}

/** Matches e.g. ":100644 100644 <id> <id> M". */
const versions = /^\n?:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/;

function parseFile(line: string, path: string): ChangedFile | undefined {
  const [found, oldMode = "", newMode = "", oldId = "", newId = ""] = versions.exec(line) ?? [];
  return found === undefined
    ? undefined
    : { path, before: versionOf(oldMode, oldId), after: versionOf(newMode, newId) };
}

/** Git writes zeros for a file that doesn't exist. */
function versionOf(mode: string, id: string): FileVersion | undefined {
  return mode === "000000" ? undefined : { mode, id };
}
