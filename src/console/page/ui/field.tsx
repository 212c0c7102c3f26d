import { type InputHTMLAttributes, type ReactNode, useId } from "react";

interface Labelled {
  readonly label: string;
  /** What to write, below the field. */
  readonly help?: string;
}

/** A field for a line of text. */
export function TextField({
  label,
  help,
  value,
  onValue,
  ...rest
}: Labelled &
  Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "className"> & {
    readonly value: string;
    readonly onValue: (value: string) => void;
  }): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={value}
        onChange={(event) => onValue(event.target.value)}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        {...rest}
      />
      {help !== undefined && (
        <p id={`${id}-help`} className="help">
          {help}
        </p>
      )}
    </div>
  );
}

/** A field for several lines of text. */
export function AreaField({
  label,
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
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
      />
      {help !== undefined && (
        <p id={`${id}-help`} className="help">
          {help}
        </p>
      )}
    </div>
  );
}

/** A choice among a few. */
export function SelectField<Value extends string>({
  label,
  value,
  options,
  onValue,
}: Labelled & {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onValue: (value: Value) => void;
}): ReactNode {
  const id = useId();
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
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Yes or no. */
export function CheckField({
  label,
  checked,
  onChecked,
}: Labelled & { readonly checked: boolean; readonly onChecked: (checked: boolean) => void }): ReactNode {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChecked(event.target.checked)} />
      {label}
    </label>
  );
}
