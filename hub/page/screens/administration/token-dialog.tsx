import type { ReactNode } from "react";
import type { Answer } from "../../../src/contract/schemas.ts";
import { Button } from "../../ui/button.tsx";
import { CopiedText } from "../../ui/copied-text.tsx";
import { Dialog } from "../../ui/dialog.tsx";

/** Shows the token of an instance, once, with the flags that connect its fluxd. */
export function TokenDialog({
  created: { instance, token, flags },
  onClose,
}: {
  readonly created: Answer<"createInstance">;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Dialog title={`Connect ${instance.name}`} onClose={onClose}>
      <div className="form">
        <p>Start its fluxd with these flags. The token is shown only now.</p>
        <CopiedText label="Flags" text={flags.join("\n")} />
        <CopiedText label="Token" text={token} />
        <div className="actions">
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
