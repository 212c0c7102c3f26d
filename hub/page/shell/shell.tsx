import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { usePathname } from "../state/use-location.ts";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/link.tsx";
import { LiveNote } from "./live-note.tsx";
import { Navigation } from "./navigation.tsx";
import { SuspendedBanner } from "./suspended-banner.tsx";
import { UserMenu } from "./user-menu.tsx";

/** What is around every screen: the way to the others, and what concerns all of them. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const path = usePathname();
  const [isOpen, setOpen] = useState(false);
  const [shownPath, setShownPath] = useState(path);
  const main = useRef<HTMLElement>(null);
  if (shownPath !== path) {
    setShownPath(path);
    setOpen(false);
  }
  useFreshStart(path, main);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <div className={isOpen ? "side open" : "side"}>
        <div className="brand">
          <Link to="/">
            <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
              <rect width="32" height="32" rx="8" />
              <path d="M6 11c3.3 0 3.3 3 6.7 3s3.3-3 6.6-3 3.4 3 6.7 3M6 19c3.3 0 3.3 3 6.7 3s3.3-3 6.6-3 3.4 3 6.7 3" />
            </svg>
            Weir
          </Link>
          <button
            type="button"
            className="button quiet"
            aria-label="Menu"
            aria-expanded={isOpen}
            aria-controls="side-content"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? "close" : "menu"} />
          </button>
        </div>
        <div id="side-content" className="side-content">
          <Navigation path={path} />
          <div className="side-end">
            <LiveNote />
            <UserMenu />
          </div>
        </div>
      </div>
      <div className="middle">
        <SuspendedBanner />
        <main id="content" ref={main} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
}

/** Begins each screen that was opened with a link at its top, also for the keyboard. */
function useFreshStart(path: string, main: RefObject<HTMLElement | null>): void {
  const wasPushed = useRef(false);
  useEffect(() => {
    const note = (): void => {
      wasPushed.current = true;
    };
    window.addEventListener("pushState", note);
    return () => window.removeEventListener("pushState", note);
  }, []);
  const screen = path.split("/").slice(0, 5).join("/");
  useEffect(() => {
    if (wasPushed.current) {
      wasPushed.current = false;
      window.scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
  }, [screen, main]);
}
