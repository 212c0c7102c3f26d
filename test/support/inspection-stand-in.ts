import type { Inspection } from "@weir/flux/api";

/** An Inspection of a daemon without anything in git; `answers` replaces methods one by one. */
export function standInInspection(answers: Partial<Inspection> = {}): Inspection {
  return {
    events: () => Promise.resolve([]),
    diff: () => Promise.resolve({ revision: "", changes: [] }),
    tree: () => Promise.resolve({ revision: "", version: "8", resources: [] }),
    treeChanged: () => Promise.resolve(false),
    syncSettings: () => Promise.reject(new Error("not asked for here")),
    pendingDeletions: () => Promise.resolve({ revision: "", unconfirmed: [], heldBack: [], reason: "" }),
    confirmDeletions: ({ resources }) => Promise.resolve({ revision: "", resources, forgotten: "" }),
    requestJob: ({ id }) => Promise.resolve(id),
    undo: () => Promise.resolve({ job: "", plan: undefined }),
    history: () => Promise.resolve({ entries: [], next: "" }),
    verification: () => Promise.resolve({ mode: "none", head: "", verified: "", error: "" }),
    lastSync: () =>
      Promise.resolve({
        revision: "",
        endedAt: undefined,
        failure: "",
        errors: [],
        isRunning: false,
        waitingFor: [],
      }),
    imageScans: () => Promise.resolve([]),
    exportEverything: () => Promise.resolve(""),
    why: ({ subject }) =>
      Promise.resolve({ kind: "unknown", subject, verdict: "nothing", causes: [], known: [] }),
    status: () => Promise.reject(new Error("not asked")),
    suspensions: () => Promise.resolve([]),
    suspend: ({ what, reason, user }) =>
      Promise.resolve({
        suspensions: what.map((each) => ({ what: each, reason, user, since: new Date(0) })),
        ended: [],
        forgotten: "",
        stillSyncing: false,
      }),
    resume: () => Promise.resolve({ suspensions: [], ended: [], forgotten: "", stillSyncing: false }),
    check: () => Promise.resolve([]),
    ...answers,
  };
}
