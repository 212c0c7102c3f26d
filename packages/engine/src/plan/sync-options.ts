import type { KubeObject } from "@weir/kube";
import { allSyncWordsOf, switchIn, valueIn } from "./annotations.ts";

/** How an object is written to the server. */
export type ApplyMethod = "client-side" | "server-side" | "replace";

/** What happens to the objects that a pruned object owns; Kubernetes' propagation policies. */
export type PropagationPolicy = "foreground" | "background" | "orphan";

/** What an object's sync-options annotations say; a field is absent if they don't say it. */
export interface ObjectSyncOptions {
  readonly replace?: boolean;
  readonly serverSideApply?: boolean;
  readonly validate?: boolean;
  readonly force?: boolean;
  readonly skipDryRunOnMissingResource?: boolean;
  readonly clientSideApplyMigration?: boolean;
  readonly respectIgnoreDifferences?: boolean;
  readonly prunePropagationPolicy?: PropagationPolicy;
  /** TakeOver=true: the object is applied and pruned even if another tool or unit manages it. */
  readonly takeOver?: boolean;
  /** False for Prune=false or Delete=false: the object isn't pruned. */
  readonly prune: boolean;
  /** Prune=confirm or Delete=confirm: the object is pruned only after someone has confirmed it. */
  readonly confirm: boolean;
  /** PruneLast=true: the object is pruned after everything else. */
  readonly pruneLast: boolean;
}

/** The options of an object without the annotation, which is nearly every object. */
const usual: ObjectSyncOptions = { prune: true, confirm: false, pruneLast: false };

const policies: readonly PropagationPolicy[] = ["foreground", "background", "orphan"];

/** Words that protect an object are also understood if they're written a little differently. */
const refusal = /^(?:prune|delete)\s*=\s*false$/i;
const confirmation = /^(?:prune|delete)\s*=\s*confirm$/i;

/** The sync options of an object; for a live object, only the pruning options matter. */
export function syncOptionsOf(object: KubeObject): ObjectSyncOptions {
  const { annotations } = object.metadata;
  const words = annotations === undefined ? [] : allSyncWordsOf(object, "sync-options");
  if (words.length === 0) {
    return usual;
  }
  const policy = policies.find((each) => each === valueIn(words, "PrunePropagationPolicy"));
  return {
    ...said("replace", switchIn(words, "Replace")),
    ...said("serverSideApply", switchIn(words, "ServerSideApply")),
    ...said("validate", switchIn(words, "Validate")),
    ...said("force", switchIn(words, "Force")),
    ...said("skipDryRunOnMissingResource", switchIn(words, "SkipDryRunOnMissingResource")),
    ...said("clientSideApplyMigration", switchIn(words, "ClientSideApplyMigration")),
    ...said("respectIgnoreDifferences", switchIn(words, "RespectIgnoreDifferences")),
    ...said("takeOver", switchIn(words, "TakeOver")),
    ...(policy === undefined ? {} : { prunePropagationPolicy: policy }),
    prune: !words.some((word) => refusal.test(word)),
    confirm: words.some((word) => confirmation.test(word)),
    pruneLast: words.includes("PruneLast=true"),
  };
}

function said<Name extends string>(
  name: Name,
  value: boolean | undefined,
): Partial<Readonly<Record<Name, boolean>>> {
  const empty: Partial<Record<Name, boolean>> = {};
  return value === undefined ? empty : { ...empty, [name]: value };
}
