import { type ReactNode, useEffect } from "react";

/** The frame of the screens for people who aren't logged in. */
export function Entrance({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  useEffect(() => {
    document.title = `${title} · Weir console`;
  }, [title]);
  return (
    <main className="entrance">
      <div className="card">
        <p className="brand">
          <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <rect width="32" height="32" rx="8" />
            <path d="M6 11c3.3 0 3.3 3 6.7 3s3.3-3 6.6-3 3.4 3 6.7 3M6 19c3.3 0 3.3 3 6.7 3s3.3-3 6.6-3 3.4 3 6.7 3" />
          </svg>
          Weir
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
