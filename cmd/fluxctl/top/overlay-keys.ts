import { layoutOf } from "./layout.ts";
import type { Effect, Key, Overlay, Step, TopState } from "./model.ts";

type Of<Kind extends Overlay["kind"]> = Extract<Overlay, { kind: Kind }>;

/** What a key does while something covers the tree, or a text is typed. */
export function pressedOver(state: TopState, overlay: Overlay, key: Key): Step {
  switch (overlay.kind) {
    case "wait":
      return only(key === "escape" || key === "q" ? closed(state) : state);
    case "images":
      return pressedInImages(state, overlay, key);
    case "confirm":
      return pressedInQuestion(state, overlay, key);
    case "input":
      return pressedInInput(state, overlay, key);
    case "text":
    case "help":
    case "details":
    case "events":
      return pressedInPage(state, overlay, key);
  }
}

/** A page that can be scrolled; on the details of a node, keys for actions work as in the tree. */
function pressedInPage(
  state: TopState,
  overlay: Of<"text"> | Of<"help" | "details" | "events">,
  key: Key,
): Step {
  if (["q", "escape", "enter", "left"].includes(key)) {
    return only(closed(state));
  }
  return only({ ...state, overlay: { ...overlay, scroll: scrolled(state, overlay.scroll, key) } });
}

/** Released only after the next question. */
function pressedInImages(state: TopState, overlay: Of<"images">, key: Key): Step {
  const { id, choices, cursor } = overlay;
  if (key === "escape" || key === "q") {
    return only(closed(state));
  }
  const choice = choices[cursor];
  if (key === "enter" && choice !== undefined) {
    const task = state.task + 1;
    const wait: Overlay = { kind: "wait", what: `what the release of ${choice.image} would change`, task };
    return {
      state: { ...state, task, overlay: wait },
      effects: [{ kind: "plan", task, id, image: choice.image }],
    };
  }
  const moved = scrolled(state, cursor, key);
  return only({
    ...state,
    overlay: { ...overlay, cursor: Math.max(0, Math.min(moved, choices.length - 1)) },
  });
}

/** Only "y" means yes, so that no other key commits anything by mistake. */
function pressedInQuestion(state: TopState, overlay: Of<"confirm">, key: Key): Step {
  const { id, image } = overlay;
  if (key === "y") {
    return changing(closed(state), `releasing ${image}`, { kind: "release", id, image });
  }
  if (["n", "q", "escape"].includes(key)) {
    return only({ ...closed(state), remark: { tone: "plain", text: "Not released." } });
  }
  return only({ ...state, overlay: { ...overlay, scroll: scrolled(state, overlay.scroll, key) } });
}

function pressedInInput(state: TopState, overlay: Of<"input">, key: Key): Step {
  switch (key) {
    case "escape":
      return only(typed(closed(state), overlay, overlay.before));
    case "enter":
      return entered(closed(state), overlay);
    case "backspace":
      return only(typedIn(state, overlay, withoutLast(overlay.text)));
    default:
      // The names of other keys are longer than one character.
      return only(isCharacter(key) ? typedIn(state, overlay, overlay.text + key) : state);
  }
}

function entered(state: TopState, { purpose, id, text }: Of<"input">): Step {
  if (purpose === "filter" || id === undefined) {
    return only(state);
  }
  const doing = purpose === "lock" ? `locking ${id}` : `unlocking ${id}`;
  return changing(state, doing, { kind: purpose, id, reason: text.trim() });
}

function typedIn(state: TopState, overlay: Of<"input">, text: string): TopState {
  return typed({ ...state, overlay: { ...overlay, text } }, overlay, text);
}

/** The tree is filtered while the filter is typed. */
function typed(state: TopState, { purpose }: Of<"input">, text: string): TopState {
  return purpose === "filter" ? { ...state, filter: text } : state;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function withoutLast(text: string): string {
  return [...graphemes.segment(text)]
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join("");
}

function isCharacter(key: Key): boolean {
  return [...graphemes.segment(key)].length === 1 && !/\p{Cc}/u.test(key);
}

function scrolled(state: TopState, from: number, key: Key): number {
  const page = Math.max(1, layoutOf(state).body - 1);
  switch (key) {
    case "up":
    case "k":
      return Math.max(0, from - 1);
    case "down":
    case "j":
      return from + 1;
    case "pageUp":
      return Math.max(0, from - page);
    case "pageDown":
    case " ":
      return from + page;
    case "home":
    case "g":
      return 0;
    case "end":
    case "G":
      return Number.MAX_SAFE_INTEGER;
    default:
      return from;
  }
}

function changing(state: TopState, running: string, effect: Effect): Step {
  return { state: { ...state, running }, effects: [effect] };
}

function closed(state: TopState): TopState {
  return { ...state, overlay: undefined };
}

function only(state: TopState): Step {
  return { state, effects: [] };
}
