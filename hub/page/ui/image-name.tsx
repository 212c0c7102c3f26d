import type { ReactNode } from "react";
import { imageText } from "../text/image.ts";

/** An image by the end of its name and its tag; all of it is the title. */
export function ImageName({ image }: { readonly image: string }): ReactNode {
  const { name, tag } = imageText(image);
  return (
    <code className="image" title={image}>
      {name}
      {tag !== "" && <span className="tag">:{tag}</span>}
    </code>
  );
}
