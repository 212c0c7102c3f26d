/**
 * The history: commits from git, explained by their notes, and syncs that changed something, merged by time. Takes a
 * query, and returns one page with the place where the next one begins.
 */
import { messageOf } from "@weir/base";
import { FluxError, type LoggedCommit, partsOfResourceId } from "@weir/flux";
import type { HistoryEntry, HistoryPage, HistoryQuery } from "@weir/flux/api";
import { type ChangeDependencies, resourcesChangedBy } from "../history/changed-resources.ts";
import { type HistoryPlace, parsePlace, printPlace } from "../history/cursor.ts";
import { entryOfCommit, entryOfSync } from "../history/entries.ts";
import type { SyncRecord } from "../history/ring.ts";
import type { SyncHistory } from "../history/sync-history.ts";
import { parseNote } from "../note.ts";
import type { DaemonSettings, Repo } from "../ports.ts";

/** How many commits one request looks at, so that a filter that matches little doesn't take forever. */
const mostSearched = 500;

/** How many commits are read at a time. */
const chunk = 50;

/** Rejects with a FluxError if `before` isn't a place that a page ended with, or if its commits are gone. */
export async function history(
  query: HistoryQuery,
  deps: HistoryDependencies,
  signal: AbortSignal,
): Promise<HistoryPage> {
  const place = query.before === "" ? await beginning(deps, signal) : placeOf(query.before);
  const records = (await deps.history.records(signal)).filter(
    ({ sequence }) => place.below === undefined || sequence < place.below,
  );
  // Newer ones that arrive later don't belong to the pages after this one.
  const below = place.below ?? (records[0]?.sequence ?? 0) + 1;
  const page = new Page(query, { ...place, below }, records);
  const commits = commitsFrom(place, deps, signal);
  for await (const { entry } of commits) {
    if (!page.takeCommit(entry)) {
      return page.end();
    }
  }
  page.takeSyncs();
  return page.end();
}

export interface HistoryDependencies extends ChangeDependencies {
  readonly settings: Pick<DaemonSettings, "paths" | "manifestGeneration">;
  readonly repo: Pick<Repo, "status" | "branchHead" | "changeLog" | "notedRevisions" | "note" | "contents">;
  readonly history: Pick<SyncHistory, "records">;
}

async function beginning({ repo }: HistoryDependencies, signal: AbortSignal): Promise<HistoryPlace> {
  const { status } = repo.status();
  const hasMirror = status === "ready" || status === "unreachable";
  return { head: hasMirror ? await repo.branchHead(signal) : "", skip: 0, below: undefined };
}

function placeOf(before: string): HistoryPlace {
  const place = parsePlace(before);
  if (place === undefined) {
    throw refused(`${JSON.stringify(before)} isn't a place in the history; use what the page before printed`);
  }
  return place;
}

/** The entries of commits from a place on, as many as may be searched. */
async function* commitsFrom(
  { head, skip }: HistoryPlace,
  deps: HistoryDependencies,
  signal: AbortSignal,
): AsyncGenerator<{ readonly entry: HistoryEntry | undefined }> {
  if (head === "") {
    return;
  }
  const { repo, settings } = deps;
  const paths = settings.manifestGeneration ? [] : settings.paths;
  const noted = await repo.notedRevisions(signal);
  for (let searched = 0; searched < mostSearched; searched += chunk) {
    const query = { range: head, paths, skip: skip + searched, limit: chunk };
    const commits = await repo.changeLog(query, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw refused(`cannot list the commits of ${head.slice(0, 7)}: ${messageOf(error)}`, error);
    });
    for (const commit of commits) {
      yield { entry: await explain(commit, noted, deps, signal) };
    }
    if (commits.length < chunk) {
      return;
    }
  }
  yield { entry: undefined };
}

async function explain(
  commit: LoggedCommit,
  noted: ReadonlySet<string>,
  deps: HistoryDependencies,
  signal: AbortSignal,
): Promise<HistoryEntry> {
  const text = noted.has(commit.revision) ? await deps.repo.note(commit.revision, signal) : undefined;
  const note = text === undefined ? undefined : parseNote(text);
  // Whatever can't be read now only makes the entry less complete.
  const resources = note === undefined ? await resourcesChangedBy(commit, deps, signal).catch(() => []) : [];
  signal.throwIfAborted();
  return entryOfCommit({ commit, note, resources });
}

/** A page that's being filled: takes commits in their order, and puts the syncs in between. */
class Page {
  readonly #query: HistoryQuery;
  readonly #entries: HistoryEntry[] = [];
  #records: readonly SyncRecord[];
  #place: HistoryPlace;
  /** False if there's nothing more to find. */
  #goesOn = true;

  constructor(query: HistoryQuery, place: HistoryPlace, records: readonly SyncRecord[]) {
    this.#query = query;
    this.#place = place;
    this.#records = records;
  }

  /** Undefined: there may be more commits, but no more may be searched. False if the page is finished. */
  takeCommit(entry: HistoryEntry | undefined): boolean {
    if (entry === undefined || !this.#takeSyncsAfter(entry.at) || !this.#add(entry)) {
      return false;
    }
    this.#place = { ...this.#place, skip: this.#place.skip + 1 };
    return true;
  }

  /** Takes the syncs that are older than all commits. */
  takeSyncs(): void {
    if (this.#takeSyncsAfter(new Date(-1))) {
      this.#goesOn = false;
    }
  }

  end(): HistoryPage {
    return { entries: this.#entries, next: this.#goesOn ? printPlace(this.#place) : "" };
  }

  /** False if the page is finished. */
  #takeSyncsAfter(time: Date): boolean {
    for (let [record] = this.#records; record !== undefined && record.at >= time; [record] = this.#records) {
      if (!this.#add(entryOfSync(record))) {
        return false;
      }
      this.#records = this.#records.slice(1);
      this.#place = { ...this.#place, below: record.sequence };
    }
    return true;
  }

  /** False if the entry must not be taken, because the page is full, or because it's too old. */
  #add(entry: HistoryEntry): boolean {
    const { limit, since } = this.#query;
    if (since !== undefined && entry.at < since) {
      this.#goesOn = false;
      return false;
    }
    if (this.#entries.length >= limit) {
      return false;
    }
    if (isWanted(entry, this.#query)) {
      this.#entries.push(entry);
    }
    return true;
  }
}

function isWanted({ kind, resources }: HistoryEntry, query: HistoryQuery): boolean {
  const { kinds, resource, namespace } = query;
  return (
    (kinds.length === 0 || kinds.includes(kind)) &&
    (resource === "" || resources.includes(resource)) &&
    (namespace === "" || resources.some((id) => partsOfResourceId(id).namespace === namespace))
  );
}

function refused(message: string, cause?: unknown): FluxError {
  return new FluxError("user", message, `${message}\n`, { cause });
}
