import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from "react";
import { navigate } from "../state/use-location.ts";

/** A link to another screen, without loading the page again. */
export function Link({
  to,
  onClick,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }): ReactNode {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (isPlain && !event.defaultPrevented) {
      event.preventDefault();
      navigate(to);
    }
  };
  return <a href={to} onClick={follow} {...rest} />;
}
