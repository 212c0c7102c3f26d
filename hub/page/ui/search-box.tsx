import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearchKey } from "../state/use-hotkey.ts";
import { Icon } from "./icon.tsx";

/** How long to wait for the next key before a search begins, in milliseconds. */
const pause = 150;

/** A box for words to search for; `/` puts the focus into it. */
export function SearchBox({
  label,
  value,
  onValue,
}: {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  useSearchKey(box);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  // The address was changed by something else, such as a link or the Back button.
  if (known !== value) {
    setKnown(value);
    if (typed.trim() !== value) {
      setTyped(value);
    }
  }
  return (
    <div className="search">
      <Icon name="search" />
      <input
        ref={box}
        type="search"
        value={typed}
        placeholder={label}
        aria-label={label}
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setTyped(target.value);
          window.clearTimeout(timer.current);
          timer.current = window.setTimeout(() => onValue(target.value.trim()), pause);
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Escape" && typed === "") {
            currentTarget.blur();
          }
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}
