import type { PendingReport } from "@weir/flux/api";
import type { Paint } from "./paint.ts";

/** Prints what waits for a confirmation, and how to confirm it. */
export function printPending(
  { revision, unconfirmed, heldBack, reason }: PendingReport,
  paint: Paint,
): string {
  const short = revision.slice(0, 12);
  const parts = [
    section(
      `Not deleted until each one is confirmed: fluxctl confirm ${unconfirmed[0] ?? ""}`,
      unconfirmed,
      paint,
    ),
    section(
      `Not deleted, because ${reason}. To delete all of them: fluxctl confirm --prune ${short}`,
      heldBack,
      paint,
    ),
  ].filter((part) => part !== "");
  return parts.length === 0 ? `At ${short}: no deletion waits for a confirmation.\n` : parts.join("\n");
}

function section(title: string, ids: readonly string[], paint: Paint): string {
  return ids.length === 0 ? "" : `${paint.heading(title)}\n${ids.map((id) => `  ${id}\n`).join("")}`;
}
