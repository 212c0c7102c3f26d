import type { ApiClient } from "@weir/flux/client";
import { tellSuspended } from "../advice/tell-suspended.ts";
import type { CommandContext } from "../command.ts";
import { pollDaemon } from "../daemon/poll-daemon.ts";
import { type OutputFormat, type Printable, printAs } from "../output/format.ts";
import { openLiveView } from "../output/live-view.ts";

/** A list that can be requested and printed. */
export interface Listing {
  readonly format: OutputFormat;
  /** Requests the list. */
  readonly find: (client: ApiClient, signal: AbortSignal) => Promise<Printable>;
  /** What to tell a person about an empty list, in lines. */
  readonly explainEmpty: (client: ApiClient) => Promise<readonly string[]>;
  /** What to tell a person about a list with something in it, in lines, after it was printed. */
  readonly remarks?: () => readonly string[];
}

/** Prints a list, once or repeatedly until somebody ends it. */
export async function showList(listing: Listing, watch: boolean, context: CommandContext): Promise<void> {
  const client = await context.connect();
  await tellSuspended(client, context);
  if (watch) {
    await watchList(listing, client, context);
  } else {
    const found = await context.waitFor("the list", () => listing.find(client, context.signal));
    context.out(await printAs(listing.format, found));
    const advice = found.isEmpty ? await listing.explainEmpty(client) : (listing.remarks?.() ?? []);
    advice.forEach((line) => context.err(`${line}\n`));
  }
}

async function watchList(
  { format, find }: Listing,
  client: ApiClient,
  context: CommandContext,
): Promise<void> {
  using view = openLiveView(typeof format === "object" ? "\n" : separators[format], context);
  const ask = async (asked: ApiClient, signal: AbortSignal): Promise<boolean> => {
    view.show(await printAs(format, await find(asked, signal)));
    return false;
  };
  const lost = (reason: string): void => view.lost(reason);
  await pollDaemon({ ask, lost, found: () => view.found() }, client, context);
}

/** The separators between consecutive lists. */
const separators: Readonly<Record<Extract<OutputFormat, string>, string>> = {
  tab: "\n",
  wide: "\n",
  name: "\n",
  json: "",
  yaml: "---\n",
};
