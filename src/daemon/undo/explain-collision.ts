import type { LoggedCommit } from "@weir/flux";
import type { LineRange } from "../../manifests/merge/line-hunks.ts";
import type { Repo } from "../ports.ts";
import { undoRefused } from "./errors.ts";
import { type FileRevert, type FileTexts, revertFile } from "./revert-file.ts";

/** A file whose change can't be taken back. */
export interface StuckFile {
  readonly file: FileTexts;
  readonly revert: Extract<FileRevert, { readonly kind: "collisions" | "refused" }>;
}

/** How many later commits are searched for the one that's in the way. */
const mostSearched = 200;

/** The error that says which lines of which files were changed again, by whom, and what to do. */
export async function collisionError(
  stuck: readonly StuckFile[],
  { commit, head }: { readonly commit: LoggedCommit; readonly head: string },
  deps: ExplainDependencies,
  signal: AbortSignal,
): Promise<Error> {
  const lines: string[] = [];
  const culprits = new Set<string>();
  for (const each of stuck) {
    const culprit = await culpritOf(each.file, `${commit.revision}..${head}`, deps, signal);
    lines.push(`    ${describe(each)}`, ...(culprit === undefined ? [] : [`        by ${name(culprit)}`]));
    culprits.add(culprit?.revision.slice(0, 7) ?? "");
  }
  culprits.delete("");
  const first =
    culprits.size === 0
      ? []
      : [`Undo ${enumerate([...culprits])} first if that's what you want, or edit the`];
  return undoRefused(
    `later commits changed the same lines as ${commit.revision.slice(0, 7)} (${stuck.map(({ file }) => file.path).join(", ")})`,
    [...lines, "", ...first, `${first.length === 0 ? "Edit the " : ""}files by hand.`],
  );
}

export interface ExplainDependencies {
  readonly repo: Pick<Repo, "changeLog" | "contents">;
}

function describe({ file: { path }, revert }: StuckFile): string {
  return revert.kind === "refused"
    ? `${path}: ${revert.reason}`
    : `${path}, ${enumerate(revert.collisions.map(({ ours }) => linesIn(ours)))}: changed again`;
}

/** "a", "a and b", or "a, b, and c". */
function enumerate(parts: readonly string[]): string {
  return new Intl.ListFormat("en").format(parts);
}

/** For people, lines count from 1. */
function linesIn({ start, end }: LineRange): string {
  if (end === start) {
    return `at line ${start + 1}`;
  }
  return end - start === 1 ? `line ${end}` : `lines ${start + 1}-${end}`;
}

function name({ revision, message, author, committedAt }: LoggedCommit): string {
  return `${revision.slice(0, 7)} "${message}" (${author}, ${committedAt.toISOString().slice(0, 10)})`;
}

/** The first commit after which the change could no longer be taken back. */
async function culpritOf(
  file: FileTexts,
  range: string,
  { repo }: ExplainDependencies,
  signal: AbortSignal,
): Promise<LoggedCommit | undefined> {
  const { path } = file;
  const later = await repo.changeLog({ range, paths: [path], skip: 0, limit: mostSearched }, signal);
  for (const commit of later.toReversed()) {
    const id = commit.files.find((each) => each.path === path)?.after?.id;
    const content = id === undefined ? undefined : (await repo.contents([id], signal)).get(id);
    const now = content === undefined ? undefined : Buffer.from(content).toString("utf8");
    if (!["changed", "unchanged"].includes(revertFile({ ...file, now }).kind)) {
      return commit;
    }
  }
  return undefined;
}
