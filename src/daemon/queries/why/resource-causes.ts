/**
 * Decides what keeps a resource from being as git wants it, and what to do about it: takes facts, and returns causes
 * in the order in which they have to be solved. Pure.
 */

import { type FieldWriter, type ObjectReport, partsOfResourceId, type ResourceId } from "@weir/flux";
import {
  describeSuspensions,
  type Suspension,
  suspensionOf,
  type WhyCause,
  type WhySync,
} from "@weir/flux/api";
import { brief, cause, kubectlName, quote, run, short, tell } from "./cause.ts";
import { type Automation, imageCauses } from "./image-causes.ts";
import type { ImageState } from "./image-states.ts";
import type { GitProblem } from "./world.ts";

/** Everything that's known about a resource. */
export interface ResourceFacts {
  readonly id: ResourceId;
  readonly problems: readonly GitProblem[];
  /** False if no manifests could be loaded, so that it isn't known what git wants. */
  readonly isKnown: boolean;
  /** The file; undefined if it isn't in git. */
  readonly source: string | undefined;
  /** It's in git, but wasn't loaded. */
  readonly isHeldBack: boolean;
  /** False if a file couldn't be read, so that nothing is deleted. */
  readonly isComplete: boolean;
  readonly object: ObjectReport;
  readonly sync: WhySync;
  readonly suspensions: readonly Suspension[];
  readonly images: readonly ImageState[];
  readonly automation: Automation;
}

/** What holds a resource up; empty if nothing does. */
export function resourceCauses(facts: ResourceFacts): readonly WhyCause[] {
  return [
    ...facts.problems.map((problem) => gitCause(problem, facts.sync)),
    ...suspendedSyncs(facts.suspensions),
    ...syncCauses(facts),
    ...objectCauses(facts),
    ...healthCauses(facts),
    ...facts.images.flatMap((state) => imageCauses(state, facts.automation)),
  ];
}

/** `fluxctl sync` syncs only what's new in git. */
export const again = tell(
  "fluxd syncs again at the latest after --sync-interval, and with --sync-on-drift at once when an object changes",
);

/** What keeps fluxd from applying what's in git at all. */
export function gitCause({ kind, message }: GitProblem, { synced }: WhySync): WhyCause {
  const check = run("fluxctl check", "to see what fluxd lacks");
  const since = synced === "" ? "nothing is synced" : `nothing newer than ${short(synced)} is synced`;
  switch (kind) {
    case "git-not-ready":
      return cause(kind, "sync", { message: `fluxd cannot read git: ${brief(message)}`, remedies: [check] });
    case "fetch-failed":
      return cause(kind, "sync", {
        message: `fluxd cannot fetch from git, so this is as of its last fetch: ${brief(message)}`,
        remedies: [check],
      });
    case "unverified":
      return cause(kind, "sync", {
        message: `${brief(message)}; no commit after the last verified one is synced`,
        remedies: [tell("sign it with a key that fluxd trusts, or revert it with a signed commit"), check],
      });
    case "manifests":
      return cause(kind, "sync", {
        message: `the manifests in git cannot be loaded, so ${since}: ${brief(message)}`,
        remedies: [tell("correct the file, and push"), run("fluxctl sync")],
      });
  }
}

/** That nothing is synced because somebody said so. */
export function suspendedSyncs(suspensions: readonly Suspension[]): readonly WhyCause[] {
  const suspension = suspensionOf("sync", suspensions);
  return suspension === undefined
    ? []
    : [
        cause("suspended", "sync", {
          message: describeSuspensions([suspension]).join(),
          remedies: [run("fluxctl resume sync", "to sync again")],
        }),
      ];
}

function syncCauses(facts: ResourceFacts): readonly WhyCause[] {
  const { id, sync, object, source, problems, suspensions } = facts;
  const { state, head, synced, waitingFor, failures } = sync;
  const isTold =
    problems.some(({ kind }) => kind !== "fetch-failed") || suspensionOf("sync", suspensions) !== undefined;
  switch (state) {
    case "synced":
      return [];
    case "waiting":
      return [waiting(id, object, waitingFor)];
    case "failing":
      return isTold
        ? []
        : [
            cause("sync-failed", "sync", {
              message: `the last sync failed, so ${short(head)} does not count as synced: ${brief(failures.join("; "))}`,
              remedies: [again, run("fluxctl check")],
            }),
          ];
    case "never":
    case "pending": {
      // Nothing waits for a sync that wouldn't change it.
      const isPending = source !== undefined && object.action !== "none";
      const from = synced === "" ? "nothing is synced yet" : `only ${short(synced)} is synced yet`;
      return isTold || head === "" || !isPending
        ? []
        : [
            cause("sync-pending", "sync", {
              message: `git is at ${short(head)}, and ${from}: fluxd applies it with its next sync`,
              remedies: [run("fluxctl sync", "to sync now")],
            }),
          ];
    }
  }
}

function waiting(
  id: ResourceId,
  { phase, wave, health, healthMessage }: ObjectReport,
  waitingFor: readonly ResourceId[],
): WhyCause {
  if (waitingFor.includes(id)) {
    const why = healthMessage === "" ? health : `${health}: ${healthMessage}`;
    return cause("waited-for", "sync", {
      message: `the sync waits until this ${phase === "" || phase === "Sync" ? `resource of wave ${wave}` : `${phase} hook`} is ready${why === "" ? "" : ` (${brief(why)})`}`,
      remedies: [run(`kubectl describe ${kubectlName(id)}`, "to see what it lacks")],
    });
  }
  const [first = id, ...others] = waitingFor;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const place = phase === "" ? "" : ` This is in ${phase === "Sync" ? `wave ${wave}` : `phase ${phase}`}.`;
  return cause("waiting", "sync", {
    message: `the sync waits until ${first}${more}, of an earlier wave or phase, is ready.${place}`,
    remedies: [run(`fluxctl why ${quote(first)}`)],
  });
}

function objectCauses(facts: ResourceFacts): readonly WhyCause[] {
  const { id, object, isKnown, source, isHeldBack } = facts;
  if (object.problem !== "") {
    const message = `fluxd cannot read the live object: ${brief(object.problem)}`;
    return [cause("unreadable", "sync", { message, remedies: [run("fluxctl check")] })];
  }
  if (!object.isServed) {
    return [
      cause("no-such-kind", "sync", {
        message: `the API server has no kind ${partsOfResourceId(id).kind}${object.apiVersion === "" ? "" : ` in ${object.apiVersion}`}`,
        remedies: [
          tell("apply its custom resource definition first, or correct apiVersion and kind"),
          run("kubectl api-resources"),
        ],
      }),
    ];
  }
  if (isHeldBack) {
    return [
      cause("held-back", "sync", {
        message: "its file cannot be loaded, so fluxd leaves it as it is (--sync-quarantine)",
        remedies: [tell('fluxd\'s log names the file and the line: look for "skipping files"')],
      }),
    ];
  }
  if (object.left !== undefined) {
    return isKnown ? [leftCause(facts, object.left)] : [];
  }
  return source === undefined ? outsideGit(facts) : applyCauses(facts);
}

/** Why an object is left as it is. */
function leftCause(
  { id, source = "its file", isComplete, sync: { head } }: ResourceFacts,
  { guard, reason }: NonNullable<ObjectReport["left"]>,
): WhyCause {
  switch (guard) {
    case "excluded":
      return cause("excluded", "sync", {
        message: `fluxd has nothing to do with its namespace: ${reason}`,
        remedies: [tell("add the namespace to --k8s-allow-namespace")],
      });
    case "broken":
      return cause("broken", "sync", {
        message: `its manifest is not an object: ${brief(reason)}`,
        remedies: [tell(`correct ${source}, and push`)],
      });
    case "ignored":
      return cause("ignored", "sync", {
        message: `fluxd does not apply it: the annotation fluxcd.io/ignore in ${source} says so`,
        remedies: [tell(`remove the annotation from ${source}, and push`)],
      });
    case "ignored-live":
      return cause("ignored-live", "sync", {
        message: "fluxd leaves it as it is: the live object has the annotation fluxcd.io/ignore",
        remedies: [
          run(`kubectl annotate ${kubectlName(id)} fluxcd.io/ignore-`, "to let fluxd apply it again"),
        ],
      });
    case "foreign":
      return cause("foreign", "sync", {
        message: brief(reason.split("; ")[0] ?? reason),
        remedies: [
          tell(
            "remove its manifest from git, or set the annotation weir.dev/sync-options: TakeOver=true in it",
          ),
        ],
      });
    case "unconfirmed":
      return cause("unconfirmed", "deletion", {
        message: "it is no longer in git, and is deleted only after somebody confirms that",
        remedies: [run(`fluxctl confirm ${quote(id)}`, "to delete it")],
      });
    case "prune-limit":
      return cause("prune-limit", "deletion", {
        message: `it is no longer in git, but not deleted: ${brief(reason.split("; to delete")[0] ?? reason)}`,
        remedies: [
          run("fluxctl confirm", "to see what else waits"),
          run(`fluxctl confirm --prune ${short(head)}`, "to delete all of it"),
        ],
      });
    case "prune-off":
      return isComplete
        ? cause("prune-off", "deletion", {
            message: "it is no longer in git, and fluxd deletes nothing (--sync-garbage-collection is off)",
            remedies: [run(`kubectl delete ${kubectlName(id)}`, "to delete it yourself")],
          })
        : cause("prune-off", "deletion", {
            message: "it is no longer in git, but fluxd deletes nothing while a file in git cannot be read",
            remedies: [run("fluxctl check")],
          });
    default:
      return cause(guard, "deletion", { message: `it is left as it is: ${brief(reason)}` });
  }
}

function outsideGit({ id, object, isKnown }: ResourceFacts): readonly WhyCause[] {
  const { owner, action, sync, phase } = object;
  if (!isKnown) {
    return [];
  }
  if (action === "delete" || sync === "Obsolete") {
    return [
      cause("no-longer-in-git", "deletion", {
        message: "it is no longer in git: the next sync deletes it",
        remedies: [run("fluxctl diff", "to see what the next sync does")],
      }),
    ];
  }
  if (owner !== "") {
    const [kind = "", name = ""] = owner.split(" ");
    const parent = `${partsOfResourceId(id).namespace}:${kind.toLowerCase()}/${name}`;
    return [
      cause("owned", "sync", {
        message: `it is not in git: ${owner} made it`,
        remedies: [run(`fluxctl why ${quote(parent)}`)],
      }),
    ];
  }
  return phase === ""
    ? [
        cause("not-in-git", "sync", {
          message: "it is not in git (or not below --git-path), so fluxd has nothing to do with it",
          remedies: [tell("to manage it, commit its manifest")],
        }),
      ]
    : [];
}

/** Why what's in git isn't in the cluster. */
function applyCauses({ object, sync, source = "" }: ResourceFacts): readonly WhyCause[] {
  const { refusal, syncError, action, exists, phase, differences } = object;
  if (refusal !== "") {
    return [
      cause("refused", "sync", {
        message: `the API server refuses it: ${brief(refusal)}`,
        remedies: [tell(`correct ${source}, and push`), run("fluxctl sync")],
      }),
    ];
  }
  if (syncError !== "" && action !== "none") {
    return [
      cause("apply-failed", "sync", {
        message: `the last sync could not apply it: ${brief(syncError)}`,
        remedies: [again],
      }),
    ];
  }
  if (action === "run" || (phase !== "" && phase !== "Sync")) {
    return [
      cause("hook", "sync", {
        message: `it is a hook: it runs in phase ${phase} of a sync that changes something, and may be deleted afterwards`,
      }),
    ];
  }
  // What isn't synced yet differs for that reason.
  if (sync.state !== "synced" || action === "none") {
    return [];
  }
  const [writer] = differences.flatMap((difference) => difference.writer ?? []);
  return [
    exists
      ? cause("drift", "sync", {
          message: `it was changed in the cluster${writer === undefined ? "" : ` ${byWriter(writer)}`}: the next sync puts it back`,
          remedies: [
            run("fluxctl diff", "to see the change"),
            again,
            tell(`to keep the change, commit it to ${source}`),
          ],
        })
      : cause("missing", "sync", {
          message: "it was deleted in the cluster: the next sync creates it again",
          remedies: [again],
        }),
  ];
}

function byWriter({ manager, time }: FieldWriter): string {
  return `by ${manager}${time === "" ? "" : ` at ${time.replace("T", " ").replace("Z", " UTC")}`}`;
}

function healthCauses({ id, object: { health, healthMessage }, sync }: ResourceFacts): readonly WhyCause[] {
  const isTold = sync.state === "waiting" && sync.waitingFor.includes(id);
  if (isTold || !["Degraded", "Progressing", "Unknown"].includes(health)) {
    return [];
  }
  return [
    cause(health.toLowerCase(), "health", {
      message: healthMessage === "" ? `it is ${health}` : `it is ${health}: ${brief(healthMessage)}`,
      remedies: [run(`kubectl describe ${kubectlName(id)}`)],
    }),
  ];
}
