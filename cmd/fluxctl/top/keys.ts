import { hasPolicy, type ResourceId } from "@weir/flux";
import { layoutOf } from "./layout.ts";
import type { Effect, Key, Step, TopState } from "./model.ts";
import { pressedOver } from "./overlay-keys.ts";
import { type Row, rowsOf } from "./rows.ts";

/** What a key does. */
export function pressed(state: TopState, key: Key): Step {
  if (key === "interrupt") {
    return { state, effects: [{ kind: "quit" }] };
  }
  // What was said about the last action has been seen.
  const seen: TopState = { ...state, remark: { tone: "plain", text: "" } };
  return seen.overlay === undefined ? pressedInTree(seen, key) : pressedOver(seen, seen.overlay, key);
}

function pressedInTree(state: TopState, key: Key): Step {
  const rows = rowsOf(state);
  const at = Math.max(
    0,
    rows.findIndex((row) => row.key === state.cursor),
  );
  const page = Math.max(1, layoutOf(state).body - 1);
  const to = (index: number): Step => {
    const row = rows[Math.max(0, Math.min(index, rows.length - 1))];
    return only({ ...state, cursor: row?.key ?? "" });
  };
  switch (key) {
    case "up":
    case "k":
      return to(at - 1);
    case "down":
    case "j":
      return to(at + 1);
    case "pageUp":
      return to(at - page);
    case "pageDown":
      return to(at + page);
    case "home":
    case "g":
      return to(0);
    case "end":
    case "G":
      return to(rows.length - 1);
    default:
      return pressedOn(state, rows[at], key);
  }
}

/** Keys that do something with the selected node, or with the view. */
function pressedOn(state: TopState, row: Row | undefined, key: Key): Step {
  switch (key) {
    case "right":
    case "+":
      return row?.isOpen === false ? toggled(state, row) : only(state);
    case "left":
    case "-":
      return row === undefined
        ? only(state)
        : row.isOpen === true
          ? toggled(state, row)
          : toParent(state, row);
    case " ":
      return row?.isOpen === undefined ? only(state) : toggled(state, row);
    case "enter":
      return row?.node.kind === "namespace"
        ? toggled(state, row)
        : only(row === undefined ? state : { ...state, overlay: { kind: "details", scroll: 0 } });
    case "/":
      return only(asking(state, "filter", undefined, state.filter));
    case "escape":
      return only({ ...state, filter: "", troubleOnly: false });
    case "!":
      return only({ ...state, troubleOnly: !state.troubleOnly });
    case "e":
      return only({ ...state, overlay: { kind: "events", scroll: 0 } });
    case "?":
      return only({ ...state, overlay: { kind: "help", scroll: 0 } });
    case "q":
      return { state, effects: [{ kind: "quit" }] };
    default:
      return actedOn(state, row, key);
  }
}

/** Keys that ask fluxd for something. */
function actedOn(state: TopState, row: Row | undefined, key: Key): Step {
  switch (key) {
    case "d": {
      const id = row?.node.kind === "resource" ? row.node.root : undefined;
      return waiting(state, "what a sync would change", (task) => ({ kind: "diff", task, id }));
    }
    case "D":
      return waiting(state, "what a sync would change", (task) => ({ kind: "diff", task, id: undefined }));
    case "r":
      return withWorkload(state, row, (id) =>
        waiting(state, `the images of ${id}`, (task) => ({ kind: "list-images", task, id })),
      );
    case "l":
      return withWorkload(state, row, (id) =>
        only(asking(state, isLocked(state, id) ? "unlock" : "lock", id, "")),
      );
    default:
      return only(state);
  }
}

/** Does something with the workload that the selected node belongs to, unless a change is still being made. */
function withWorkload(state: TopState, row: Row | undefined, act: (id: ResourceId) => Step): Step {
  if (state.running !== "") {
    return told(state, `Still busy: ${state.running}`);
  }
  const root = row?.node.kind === "resource" ? row.node.root : undefined;
  return root !== undefined && state.findings.workloads.has(root)
    ? act(root)
    : told(state, "Select a workload first: only workloads can be released and locked.");
}

function isLocked({ findings }: TopState, id: ResourceId): boolean {
  return hasPolicy(findings.workloads.get(id)?.policies ?? {}, "locked");
}

function waiting(state: TopState, what: string, effect: (task: number) => Effect): Step {
  const task = state.task + 1;
  return { state: { ...state, task, overlay: { kind: "wait", what, task } }, effects: [effect(task)] };
}

function asking(
  state: TopState,
  purpose: "filter" | "lock" | "unlock",
  id: ResourceId | undefined,
  text: string,
): TopState {
  return { ...state, overlay: { kind: "input", purpose, id, text, before: text } };
}

function toggled(state: TopState, { key }: Row): Step {
  return only({ ...state, toggled: state.toggled.symmetricDifference(new Set([key])) });
}

function toParent(state: TopState, { parent, key }: Row): Step {
  return only({ ...state, cursor: parent === "" ? key : parent });
}

function told(state: TopState, text: string): Step {
  return only({ ...state, remark: { tone: "pending", text } });
}

function only(state: TopState): Step {
  return { state, effects: [] };
}
