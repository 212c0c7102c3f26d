import type { Logger } from "@weir/base";
import type { SyncResult } from "@weir/engine";
import type { ResourceId } from "@weir/flux";
import { idOf } from "./object-id.ts";

/** How many resources a log line names. */
const mostNames = 20;

/** Logs what a person has to decide about, once for as long as it stays the same. */
export class KeptLog {
  readonly #logger: Logger;
  readonly #told = new Map<string, string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Logs which resources a sync didn't delete, because somebody has to confirm or allow it first. */
  tellPending({ resources, revision }: Pick<SyncResult, "resources" | "revision">): void {
    const unconfirmed = resources.filter(({ guard }) => guard === "unconfirmed");
    const heldBack = resources.filter(({ guard }) => guard === "prune-limit");
    const ids = (each: typeof resources): readonly ResourceId[] => each.map(({ key }) => idOf(key));
    this.#tellOnce("not deleting resources until that is confirmed with `fluxctl confirm`", {
      resources: printSome(ids(unconfirmed)),
    });
    this.#tellOnce("not deleting any resources, because they are more than --sync-prune-limit allows", {
      resources: printSome(ids(heldBack)),
      reason: heldBack[0]?.reason ?? "",
      "to-allow-it": `fluxctl confirm --prune ${revision.slice(0, 12)}`,
    });
  }

  /** Logs which resources are applied although other tools manage them too; `owners` is by resource. */
  tellRivals(owners: ReadonlyMap<ResourceId, string>): void {
    this.#tellOnce("applying resources that another tool manages too; each may undo what the other does", {
      resources: printSome([...owners].map(([id, owner]) => `${id} ${owner}`)),
    });
  }

  #tellOnce(
    warning: string,
    { resources, ...fields }: { readonly resources: string } & Readonly<Record<string, string>>,
  ): void {
    const before = this.#told.get(warning) ?? "";
    const now = resources === "" ? "" : `${resources} ${Object.values(fields).join(" ")}`;
    this.#told.set(warning, now);
    if (now !== "" && now !== before) {
      this.#logger.log({ warning, ...fields, resources });
    }
  }
}

function printSome(names: readonly string[]): string {
  const more = names.length - mostNames;
  return names.slice(0, mostNames).join(",") + (more > 0 ? ` and ${more} more` : "");
}
