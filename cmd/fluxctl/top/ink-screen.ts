import type { ReadStream, WriteStream } from "node:tty";
import { Box, type Key as InkKey, render, Text, useInput } from "ink";
import { createElement, type ReactElement } from "react";
import type { Line, Tone } from "./line.ts";
import type { Key } from "./model.ts";

/** The terminal to draw on. */
export interface InkTerminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly hasColours: boolean;
  readonly onKeys: (keys: readonly Key[]) => void;
}

/** The whole terminal, as long as it's open. */
export interface InkScreen {
  /** Shows lines; only those that changed are written. */
  draw(lines: readonly Line[]): void;
  /** Gives the terminal back as it was, at once. */
  restore(): void;
  /** Rejects if nothing can be drawn anymore. */
  readonly broken: Promise<never>;
}

/** A line that's wider than we think must not move the lines below it. */
const wrapsNot = "\x1b[?7l";
const wraps = "\x1b[?7h";

/** Over a slow connection, more would only queue up. */
const framesPerSecond = 15;

/** Takes over the terminal: another screen, without a cursor, and each key as it's pressed. */
export function openInkScreen({ input, output, hasColours, onKeys }: InkTerminal): InkScreen {
  const screen = (lines: readonly Line[]): ReactElement =>
    createElement(Screen, { lines, hasColours, onKeys });
  const app = render(screen([]), {
    stdin: input,
    stdout: output,
    alternateScreen: true,
    incrementalRendering: true,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
    maxFps: framesPerSecond,
  });
  output.write(wrapsNot);
  const wrapAgain = (): void => void output.write(wraps);
  process.once("exit", wrapAgain);
  const broken = Promise.withResolvers<never>();
  // Whoever restores the terminal no longer waits for this.
  broken.promise.catch(() => undefined);
  app.waitUntilExit().catch((error: unknown) => {
    broken.reject(error);
  });
  return {
    draw: (lines) => app.rerender(screen(lines)),
    restore: () => {
      process.removeListener("exit", wrapAgain);
      wrapAgain();
      app.unmount();
    },
    broken: broken.promise,
  };
}

interface ScreenProps {
  readonly lines: readonly Line[];
  readonly hasColours: boolean;
  readonly onKeys: (keys: readonly Key[]) => void;
}

function Screen({ lines, hasColours, onKeys }: ScreenProps): ReactElement {
  useInput((input, key) => onKeys(keysIn(input, key)));
  return createElement(
    Box,
    { flexDirection: "column" },
    ...lines.map((line) => createElement(Row, { line, hasColours })),
  );
}

function Row({ line, hasColours }: { readonly line: Line; readonly hasColours: boolean }): ReactElement {
  const { spans, isSelected = false } = line;
  const parts = spans.map(({ text, tone }) =>
    createElement(Text, hasColours ? { ...looks[tone], inverse: isSelected } : {}, text),
  );
  // An empty text would have no height.
  return createElement(Text, { wrap: "truncate" }, ...(parts.length === 0 ? [" "] : parts));
}

const looks = {
  plain: {},
  heading: { bold: true },
  good: { color: "green" },
  pending: { color: "yellow" },
  bad: { color: "red" },
  faint: { dimColor: true },
} as const satisfies Readonly<Record<Tone, object>>;

/** Ink's names of keys, and ours. */
const named = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageUp"],
  ["pageDown", "pageDown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  ["delete", "backspace"],
] as const satisfies readonly (readonly [keyof InkKey, Key])[];

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The keys in one piece of input, which has several if somebody types fast or pastes. */
function keysIn(input: string, key: InkKey): readonly Key[] {
  const [, name] = named.find(([flag]) => key[flag]) ?? [];
  if (name !== undefined) {
    return [name];
  }
  if (key.ctrl) {
    return input === "c" ? ["interrupt"] : [];
  }
  return key.meta
    ? []
    : [...graphemes.segment(input)].map(({ segment }) => typedKeys.get(segment) ?? segment);
}

/** Keys that arrive as characters in the middle of others. */
const typedKeys: ReadonlyMap<string, Key> = new Map([
  ["\r", "enter"],
  ["\n", "enter"],
  ["\x7f", "backspace"],
  ["\b", "backspace"],
  ["\x1b", "escape"],
  ["\x03", "interrupt"],
]);
