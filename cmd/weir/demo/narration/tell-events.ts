/** What fluxd's events say to a person who watches: takes events and what was told before, and returns what to tell. */

import { isJsonArray, type JsonValue } from "@weir/base";
import { at, inOneLine, type Memory, type Seen, shortRevision, type Told, textAt } from "@weir/demo";
import type { LoggedEvent } from "@weir/flux/api";
import { readChange } from "./tell-change.ts";

/** What to tell now, and what to remember. */
export interface Telling {
  readonly told: readonly Told[];
  readonly seen: readonly Seen[];
  readonly memory: Memory;
}

/**
 * Tells events, oldest first; those that were told before are skipped. A failure at the end may be left for the next
 * call, because a sync says with the paths of files what the failure before it says without.
 */
export function tellEvents(events: readonly LoggedEvent[], memory: Memory): Telling {
  const news = events.filter(({ id }) => id > memory.lastEvent);
  const last = news.at(-1);
  const held = last !== undefined && isOfResources(last) && last.id !== memory.held ? last.id : 0;
  const fresh = news.filter(({ id }) => id !== held);
  const refusals = new Set(fresh.map(({ metadata }) => errorText(errorsOf(metadata))));
  const start = { ...memory, held, lastEvent: fresh.at(-1)?.id ?? memory.lastEvent };
  return fresh
    .filter(({ type, message }) => type !== "failure" || !refusals.has(message))
    .reduce<Telling>(
      (telling, event) => {
        const { told, seen, memory: next } = tellEvent(event, telling.memory);
        return { told: [...telling.told, ...told], seen: [...telling.seen, ...seen], memory: next };
      },
      { told: [], seen: [], memory: start },
    );
}

/** True for the failure of a sync that didn't end it: "id: error; id: error". */
function isOfResources({ type, message }: LoggedEvent): boolean {
  return type === "failure" && /^[^\s:]+:[^\s:]+\/[^\s:]+: /.test(message);
}

function tellEvent(event: LoggedEvent, memory: Memory): Telling {
  switch (event.type) {
    case "commit":
      return tellCommit(event, memory);
    case "release":
    case "autorelease":
      return memory.commits.has(textAt(event.metadata, "Revision"))
        ? { told: [], seen: [], memory }
        : plainly(event, memory);
    case "sync":
      return tellSync(event, memory);
    case "failure":
      return tellFailure(event, memory);
    case "drift":
      return { told: [{ sign: "=", text: putBack(event) }], seen: ["drift"], memory };
    case "suspend":
    case "resume":
      return { ...plainly(event, memory), seen: ["suspension"] };
    default:
      return plainly(event, memory);
  }
}

/** In fluxd's own words. */
function plainly({ type, message, logLevel }: LoggedEvent, memory: Memory): Telling {
  const sign = logLevel === "error" ? "!" : type === "suspend" ? "-" : ">";
  return { told: [{ sign, text: inOneLine(message) }], seen: [], memory };
}

function tellCommit(event: LoggedEvent, memory: Memory): Telling {
  const revision = textAt(event.metadata, "revision");
  const commits = new Set([...memory.commits, revision]);
  const change = readChange(event.metadata);
  if (change === undefined) {
    return plainly(event, { ...memory, commits });
  }
  return {
    told: [{ sign: ">", text: `${change.text} (commit ${shortRevision(revision)})` }],
    seen: change.isAutomatic ? ["automated release"] : [],
    memory: { ...memory, commits },
  };
}

/** More IDs than that are only counted. */
const mostNames = 3;

function tellSync({ metadata, workloads }: LoggedEvent, memory: Memory): Telling {
  const revision = shortRevision(textAt(metadata, "commits", 0, "revision"));
  const what = workloads.length > mostNames ? `${workloads.length} objects` : workloads.join(", ");
  const errors = errorsOf(metadata);
  const trouble = errorText(errors);
  const refused = trouble === memory.trouble ? [] : errors.map(refusal);
  const synced: Told = { sign: "=", text: `fluxd synced ${revision}${what === "" ? "" : `: ${what}`}` };
  return { told: [synced, ...refused], seen: [], memory: { ...memory, trouble } };
}

interface Refused {
  readonly id: string;
  readonly path: string;
  readonly error: string;
}

function errorsOf(metadata: JsonValue): readonly Refused[] {
  const errors = at(metadata, "errors");
  return (isJsonArray(errors) ? errors : []).map((error) => ({
    id: textAt(error, "ID"),
    path: textAt(error, "Path"),
    error: textAt(error, "Error"),
  }));
}

/** As the failure of the same sync has them. */
function errorText(errors: readonly Refused[]): string {
  return errors.map(({ id, error }) => `${id}: ${error}`).join("; ");
}

function refusal({ id, path, error }: Refused): Told {
  return { sign: "!", text: inOneLine(`refused: ${id}: ${error}`), remedy: correcting(path) };
}

function tellFailure(event: LoggedEvent, memory: Memory): Telling {
  const { message } = event;
  if (message === memory.trouble) {
    return { told: [], seen: [], memory };
  }
  const job = /^job \S+ failed: (.*)$/s.exec(message)?.[1];
  if (job !== undefined) {
    return { told: [failedJob(job)], seen: [], memory };
  }
  const text = isOfResources(event)
    ? `refused: ${message}`
    : message.replace(/^sync failed: (?:loading resources from repo: )?/, "fluxd can't sync: ");
  const path = / (?:from|in) "([^"]+)"/.exec(text)?.[1] ?? "";
  const told: Told = { sign: "!", text: inOneLine(text), remedy: correcting(path) };
  return { told: [told], seen: [], memory: { ...memory, trouble: message } };
}

function failedJob(reason: string): Told {
  return reason === "no changes made in repo"
    ? {
        sign: "!",
        text: "fluxd had nothing to change in git: it's so already, or locked",
        remedy: "`fluxctl list-workloads -a` shows versions and locks",
      }
    : {
        sign: "!",
        text: inOneLine(`fluxd couldn't do it: ${reason}`),
        remedy: "`fluxctl check` looks for the cause",
      };
}

function correcting(path: string): string {
  return path === "" ? "`fluxctl check` looks for the cause" : `correct ${path}, commit, and push`;
}

function putBack({ workloads, message }: LoggedEvent): string {
  return workloads.length === 0 ? inOneLine(message) : `fluxd put back as in git: ${workloads.join(", ")}`;
}
