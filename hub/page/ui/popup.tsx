import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** A button that opens a panel below it. Escape, a click elsewhere, or moving on with Tab closes it. */
export function Popup({
  label,
  icon,
  active = false,
  align = "start",
  onToggle,
  children,
}: {
  readonly label: ReactNode;
  readonly icon?: IconName;
  /** Whether what's inside has an effect now, so that the button stands out. */
  readonly active?: boolean;
  readonly align?: "start" | "end";
  /** Called whenever it has opened or closed. */
  readonly onToggle?: ((isOpen: boolean) => void) | undefined;
  readonly children: (close: () => void) => ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useId();
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const onPointer = (event: PointerEvent): void => {
      if (event.target instanceof Node && around.current?.contains(event.target) !== true) {
        setOpen(false);
      }
    };
    document.addEventListener("pointerdown", onPointer);
    return () => document.removeEventListener("pointerdown", onPointer);
  }, [isOpen]);
  useEffect(() => onToggle?.(isOpen), [isOpen, onToggle]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div
      ref={around}
      className={`popup ${align}`}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isOpen) {
          event.stopPropagation();
          close();
        }
      }}
      onBlur={(event) => {
        if (event.relatedTarget instanceof Node && !event.currentTarget.contains(event.relatedTarget)) {
          setOpen(false);
        }
      }}
    >
      <button
        ref={button}
        type="button"
        className={active ? "button active" : "button"}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {icon !== undefined && <Icon name={icon} />}
        {label}
        <Icon name="down" />
      </button>
      {isOpen && (
        <div id={panel} className="panel">
          {children(close)}
        </div>
      )}
    </div>
  );
}
