import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { useNotice } from "./notices.tsx";

/** A text to be copied, with a button for it. */
export function CopiedText({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  const notice = useNotice();
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => notice("Copied."),
      () => notice("The browser doesn't allow copying; select the text instead."),
    );
  };
  return (
    <div className="copied">
      <p className="label">{label}</p>
      <div>
        <code tabIndex={0}>{text}</code>
        <Button icon="copy" onClick={copy} aria-label={`Copy: ${label}`}>
          Copy
        </Button>
      </div>
    </div>
  );
}
