import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";

/** How long a notice is shown, in milliseconds. */
const shownFor = 6_000;

const NoticeContext = createContext<(text: string) => void>(() => undefined);

/** Shows a line at the bottom for a while, and has screen readers say it. */
export function useNotice(): (text: string) => void {
  return useContext(NoticeContext);
}

/** Where notices are shown. */
export function Notices({ children }: { readonly children: ReactNode }): ReactNode {
  const [text, setText] = useState("");
  const timer = useRef(0);
  const show = useCallback((next: string) => {
    window.clearTimeout(timer.current);
    setText(next);
    timer.current = window.setTimeout(() => setText(""), shownFor);
  }, []);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (
    <NoticeContext value={show}>
      {children}
      <div className="notices" role="status" aria-live="polite">
        {text !== "" && <p className="notice">{text}</p>}
      </div>
    </NoticeContext>
  );
}
