import type { ReactNode } from "react";

/** A table with plain headings; `children` are its rows. */
export function Table({
  columns,
  actions,
  look = "",
  children,
}: {
  readonly columns: readonly string[];
  /** What the buttons in the last column do, for those who can't see them; absent if there are none. */
  readonly actions?: string;
  /** More classes for the style sheet. */
  readonly look?: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <table className={`table ${look}`.trim()}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
          {actions !== undefined && (
            <th scope="col">
              <span className="hidden">{actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
