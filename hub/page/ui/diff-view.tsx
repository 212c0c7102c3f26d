import type { ReactNode } from "react";
import { type DiffLine, diffLines, diffSize } from "../text/diff.ts";

/** How many lines of a diff are shown. */
const mostLines = 2_000;

const signs: Readonly<Record<DiffLine["kind"], string>> = {
  same: " ",
  added: "+",
  removed: "-",
  heading: " ",
};

/** A unified diff, line by line. */
export function DiffView({ diff, label }: { readonly diff: string; readonly label: string }): ReactNode {
  const lines = diffLines(diff);
  const { added, removed } = diffSize(lines);
  return (
    <figure className="diff">
      <figcaption>
        <span className="cut">{label}</span>
        <span className="added">{`+${added}`}</span>
        <span className="removed">{`−${removed}`}</span>
      </figcaption>
      <div className="code" role="region" aria-label={label} tabIndex={0}>
        <table>
          <tbody>
            {lines.slice(0, mostLines).map(({ kind, text, before, after }, index) => (
              <tr key={index} className={kind}>
                <td className="number">{before}</td>
                <td className="number">{after}</td>
                <td className="sign">{signs[kind]}</td>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {lines.length > mostLines && (
        <p className="help">{`${lines.length - mostLines} more lines aren't shown.`}</p>
      )}
    </figure>
  );
}
