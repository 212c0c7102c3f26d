import { pressed } from "./keys.ts";
import { layoutOf, scrolledTo } from "./layout.ts";
import { type Findings, keptEvents, type Overlay, type Step, type TopEvent, type TopState } from "./model.ts";
import { pageOf } from "./page.ts";
import { rowsOf } from "./rows.ts";

/** The state after something happened, and what's to be done because of it. */
export function update(state: TopState, event: TopEvent): Step {
  const { state: next, effects } = changed(state, event);
  return { state: settled(next), effects };
}

function changed(state: TopState, event: TopEvent): Step {
  switch (event.kind) {
    case "key":
      return pressed(state, event.key);
    case "resized":
      return only({ ...state, columns: event.columns, rows: event.rows });
    case "found":
      return only(withFindings(state, event.findings));
    case "logged":
      return only({ ...state, events: [...state.events, ...event.events].slice(-keptEvents) });
    case "lost":
      return only({ ...state, lost: event.reason });
    case "regained":
      return only({ ...state, lost: "" });
    case "banner":
      return only({ ...state, banner: event.text });
    case "progress":
      return only({ ...state, running: event.what });
    case "changed":
      return only({ ...state, running: "", remark: event.remark });
    case "failed":
      return only(
        isAwaited(state, event.task)
          ? { ...state, overlay: undefined, remark: { tone: "bad", text: event.reason } }
          : state,
      );
    case "diffed":
      return shown(state, event.task, { kind: "text", title: event.title, lines: event.lines, scroll: 0 });
    case "listed":
      return listed(state, event);
    case "planned":
      return planned(state, event);
  }
}

function listed(state: TopState, event: Extract<TopEvent, { kind: "listed" }>): Step {
  const { task, id, choices } = event;
  if (choices.length > 0) {
    // Whoever releases usually wants the newest image that isn't running.
    const cursor = Math.max(
      0,
      choices.findIndex(({ isRunning }) => !isRunning),
    );
    return shown(state, task, { kind: "images", id, choices, cursor });
  }
  const text = `No images of ${id} are known. Does fluxd scan its repositories? "fluxctl list-images" says more.`;
  return isAwaited(state, task)
    ? only({ ...state, overlay: undefined, remark: { tone: "bad", text } })
    : only(state);
}

function planned(state: TopState, event: Extract<TopEvent, { kind: "planned" }>): Step {
  const { task, id, image, lines, changes } = event;
  return changes
    ? shown(state, task, { kind: "confirm", id, image, lines, scroll: 0 })
    : shown(state, task, { kind: "text", title: `Nothing to release: ${image}`, lines, scroll: 0 });
}

/** Shows the result of a task, if somebody still waits for it. */
function shown(state: TopState, task: number, overlay: Overlay): Step {
  return only(isAwaited(state, task) ? { ...state, overlay } : state);
}

function isAwaited({ overlay }: TopState, task: number): boolean {
  return overlay?.kind === "wait" && overlay.task === task;
}

/** If the selected node is gone, the one that took its place is selected. */
function withFindings(state: TopState, findings: Findings): TopState {
  const before = rowsOf(state).findIndex(({ key }) => key === state.cursor);
  const next = { ...state, findings };
  const rows = rowsOf(next);
  const isThere = rows.some(({ key }) => key === state.cursor);
  const instead = rows[Math.min(Math.max(0, before), rows.length - 1)]?.key ?? "";
  return { ...next, cursor: isThere ? state.cursor : instead };
}

/** With a node selected that is visible, and no page scrolled beyond its end. */
function settled(state: TopState): TopState {
  const { overlay } = state;
  if (overlay !== undefined && "scroll" in overlay) {
    const last = Math.max(0, (pageOf(state)?.lines.length ?? 0) - layoutOf(state).body + 1);
    return { ...state, overlay: { ...overlay, scroll: Math.min(overlay.scroll, last) } };
  }
  const rows = rowsOf(state);
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === state.cursor),
  );
  const scroll = scrolledTo({
    selected: at,
    scroll: state.scroll,
    room: layoutOf(state).body,
    count: rows.length,
  });
  return { ...state, cursor: rows[at]?.key ?? "", scroll };
}

function only(state: TopState): Step {
  return { state, effects: [] };
}
