import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import { useFieldProblem } from "./field-problems.ts";

interface Labelled {
  readonly label: string;
  /** What it's called in the request, so that it shows what's wrong with it. */
  readonly name?: string;
  /** What to write, below the field. */
  readonly help?: string;
}

interface Noted {
  /** The attributes of an input that has notes. */
  readonly attributes: {
    readonly "aria-describedby": string | undefined;
    readonly "aria-invalid": true | undefined;
  };
  readonly notes: ReactNode;
}

/** What's below a field: what's wrong with it, and what to write. */
function useNotes(
  id: string,
  { name, help }: { readonly name: string | undefined; readonly help: string | undefined },
): Noted {
  const problem = useFieldProblem(name);
  const ids = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(help === undefined ? [] : [`${id}-help`]),
  ];
  return {
    attributes: {
      "aria-describedby": ids.length === 0 ? undefined : ids.join(" "),
      "aria-invalid": problem === undefined ? undefined : true,
    },
    notes: (
      <>
        {problem !== undefined && (
          <p id={`${id}-problem`} className="field-problem break">
            {problem}
          </p>
        )}
        {help !== undefined && (
          <p id={`${id}-help`} className="help">
            {help}
          </p>
        )}
      </>
    ),
  };
}

/** A field for a line of text. */
export function TextField({
  label,
  name,
  help,
  value,
  onValue,
  ...rest
}: Labelled &
  Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "className" | "name"> & {
    readonly value: string;
    readonly onValue: (value: string) => void;
  }): ReactNode {
  const id = useId();
  const { attributes, notes } = useNotes(id, { name, help });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={value}
        onChange={(event) => onValue(event.target.value)}
        {...attributes}
        {...rest}
      />
      {notes}
    </div>
  );
}

/** A field for several lines of text. */
export function AreaField({
  label,
  name,
  help,
  value,
  onValue,
  rows = 3,
}: Labelled & {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows?: number;
}): ReactNode {
  const id = useId();
  const { attributes, notes } = useNotes(id, { name, help });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        {...attributes}
      />
      {notes}
    </div>
  );
}

/** A choice among a few. */
export function SelectField<Value extends string>({
  label,
  name,
  help,
  value,
  options,
  onValue,
}: Labelled & {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onValue: (value: Value) => void;
}): ReactNode {
  const id = useId();
  const { attributes, notes } = useNotes(id, { name, help });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = options.find(([each]) => each === event.target.value);
          if (chosen !== undefined) {
            onValue(chosen[0]);
          }
        }}
        {...attributes}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      {notes}
    </div>
  );
}

/** Yes or no. */
export function CheckField({
  label,
  checked,
  onChecked,
}: Pick<Labelled, "label"> & {
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
}): ReactNode {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChecked(event.target.checked)} />
      {label}
    </label>
  );
}
