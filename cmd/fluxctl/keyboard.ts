import { openSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { Keyboard } from "./terminal.ts";

/** Opens the input of the process's terminal. Throws if there is none. */
export function openTerminalInput(): ReadStream {
  return new ReadStream(openSync("/dev/tty", "r"));
}

/** Opens the keyboard of the process's terminal. Throws if there is none. */
export function openKeyboard(): Keyboard {
  const stream = openTerminalInput();
  stream.setEncoding("utf8");
  stream.setRawMode(true);
  return {
    input: stream as AsyncIterable<string>,
    [Symbol.dispose]() {
      stream.setRawMode(false);
      stream.destroy();
    },
  };
}
