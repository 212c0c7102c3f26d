import { type ReactNode, useEffect } from "react";

/** The heading of a screen, which is also the title of the window. */
export function Heading({
  title,
  above,
  note,
  children,
}: {
  readonly title: string;
  /** Where the screen belongs: links. */
  readonly above?: ReactNode;
  /** Beside the title. */
  readonly note?: ReactNode;
  /** What can be done. */
  readonly children?: ReactNode;
}): ReactNode {
  useEffect(() => {
    document.title = `${title} · Weir console`;
  }, [title]);
  return (
    <header className="heading">
      <div>
        {above !== undefined && <p className="above">{above}</p>}
        <h1 tabIndex={-1}>
          <span className="break">{title}</span>
          {note}
        </h1>
      </div>
      {children !== undefined && <div className="actions">{children}</div>}
    </header>
  );
}
