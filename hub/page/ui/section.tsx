import { type ReactNode, useId } from "react";

/** A part of a screen in a frame. */
export function Section({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <div className="note">{note}</div>}
      </header>
      {children}
    </section>
  );
}
