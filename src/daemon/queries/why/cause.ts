import { clusterScope, partsOfResourceId, type ResourceId } from "@weir/flux";
import type { WhyCause, WhyRemedy } from "@weir/flux/api";

/** A cause with its remedies. */
export function cause(
  kind: string,
  concerns: WhyCause["concerns"],
  { message, remedies = [] }: { readonly message: string; readonly remedies?: readonly WhyRemedy[] },
): WhyCause {
  return { kind, concerns, message, remedies };
}

/** A command to copy, and what it does. */
export function run(command: string, text = ""): WhyRemedy {
  return { text, command };
}

/** Something to do that isn't a command. */
export function tell(text: string): WhyRemedy {
  return { text, command: "" };
}

/** How kubectl names an object, with its namespace; a word that a shell could read in another way is quoted. */
export function kubectlName(id: ResourceId): string {
  const { namespace, kind, name } = partsOfResourceId(id);
  const where = namespace === clusterScope || namespace === "" ? "" : `-n ${quote(namespace)} `;
  return `${where}${quote(`${kind}/${name}`)}`;
}

/** A word for a shell to copy: what comes from manifests and registries must not become a command. */
export function quote(word: string): string {
  return /^[A-Za-z0-9_.,:/@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A hash as people write it. */
export function short(revision: string): string {
  return revision.slice(0, 12);
}

/** A sentence without a line break at its end, and no longer than what one reads. */
export function brief(text: string, most = 600): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length <= most ? line : `${line.slice(0, most)}...`;
}
