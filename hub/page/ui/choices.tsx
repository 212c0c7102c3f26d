import { type ReactNode, useId, useRef, useState } from "react";
import { moveInList } from "./list-keys.ts";
import { Popup } from "./popup.tsx";
import { Skeleton } from "./skeleton.tsx";

/** Something to choose. */
export interface Choice {
  readonly value: string;
  readonly text: string;
  readonly count?: number;
}

/** From how many choices on there's a box to search them. */
const manyChoices = 9;

/** How many choices are shown at once. */
const mostShown = 100;

/** A filter: any number of choices, in a panel. */
export function Choices({
  label,
  choices,
  chosen,
  onChange,
  onToggle,
}: {
  readonly label: string;
  /** Undefined until they are known. */
  readonly choices: readonly Choice[] | undefined;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Called whenever it has opened or closed. */
  readonly onToggle?: (isOpen: boolean) => void;
}): ReactNode {
  const name =
    chosen.length === 0
      ? label
      : chosen.length === 1
        ? `${label}: ${textOf(chosen[0] ?? "")}`
        : `${label}: ${chosen.length}`;
  return (
    <Popup label={<span className="cut">{name}</span>} active={chosen.length > 0} onToggle={onToggle}>
      {() =>
        choices === undefined ? (
          <Skeleton lines={3} />
        ) : (
          <ChoiceList label={label} choices={withUnknown(choices)} chosen={chosen} onChange={onChange} />
        )
      }
    </Popup>
  );

  function textOf(value: string): string {
    return choices?.find((choice) => choice.value === value)?.text ?? value;
  }

  /** What an old link chose can have gone; it must still be possible to unchoose it. */
  function withUnknown(known: readonly Choice[]): readonly Choice[] {
    const unknown = chosen.filter((value) => known.every((choice) => choice.value !== value));
    return [...unknown.map((value) => ({ value, text: value })), ...known];
  }
}

function ChoiceList({
  label,
  choices,
  chosen,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}): ReactNode {
  const [words, setWords] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const wanted = words.trim().toLowerCase();
  const found = choices.filter(({ text }) => text.toLowerCase().includes(wanted));
  return (
    <div ref={list} className="choices" onKeyDown={(event) => moveInList(event, "input")}>
      {choices.length >= manyChoices && (
        <input
          type="search"
          value={words}
          placeholder={`Find ${label.toLowerCase()}`}
          aria-label={`Find ${label.toLowerCase()}`}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      <fieldset aria-labelledby={id}>
        <legend id={id} className="hidden">
          {label}
        </legend>
        {found.slice(0, mostShown).map(({ value, text, count }) => (
          <label key={value} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) =>
                onChange(event.target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
              }
            />
            <span className="cut">{text}</span>
            {count !== undefined && <span className="count">{count.toLocaleString("en")}</span>}
          </label>
        ))}
      </fieldset>
      {found.length === 0 && <p className="help">Nothing matches.</p>}
      {found.length > mostShown && (
        <p className="help">{`${found.length - mostShown} more: type to find them.`}</p>
      )}
      {chosen.length > 0 && (
        <button type="button" className="button quiet" onClick={() => onChange([])}>
          Clear
        </button>
      )}
    </div>
  );
}
