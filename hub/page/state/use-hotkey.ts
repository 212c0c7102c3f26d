import { type RefObject, useEffect } from "react";

/** Lets `/` put the focus into a search box, unless something is being typed. */
export function useSearchKey(box: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) {
        event.preventDefault();
        box.current?.focus();
        box.current?.select();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [box]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    (target.closest("input, textarea, select, [contenteditable]") !== null ||
      target.closest("dialog[open]") !== null)
  );
}
