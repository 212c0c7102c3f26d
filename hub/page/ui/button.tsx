import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** What a button does, which decides how it looks. */
type Look = "plain" | "primary" | "danger" | "quiet";

/** A button; while `busy`, it can't be pressed again. */
export function Button({
  look = "plain",
  icon,
  busy = false,
  disabled = false,
  children,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> & {
  readonly look?: Look;
  readonly icon?: IconName;
  readonly busy?: boolean;
}): ReactNode {
  return (
    <button type="button" className={`button ${look}`} disabled={disabled || busy} aria-busy={busy} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
