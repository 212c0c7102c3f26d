import type { KeyboardEvent } from "react";

/** Lets the arrow keys, Home, and End move the focus among the elements of a list. */
export function moveInList(event: KeyboardEvent<HTMLElement>, selector: string): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const at = items.findIndex((item) => item === document.activeElement);
  const isText = event.target instanceof HTMLInputElement && event.target.type !== "checkbox";
  const to = target(event.key, at, items.length, isText);
  if (to !== undefined) {
    event.preventDefault();
    items[to]?.focus();
  }
}

function target(key: string, at: number, count: number, isText: boolean): number | undefined {
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, count - 1);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return isText ? undefined : 0;
    case "End":
      return isText ? undefined : count - 1;
    default:
      return undefined;
  }
}
