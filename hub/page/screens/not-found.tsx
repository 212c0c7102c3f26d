import type { ReactNode } from "react";
import { Empty } from "../ui/empty.tsx";
import { Heading } from "../ui/heading.tsx";
import { Link } from "../ui/link.tsx";

/** At an address where nothing is. */
export function NotFound(): ReactNode {
  return (
    <>
      <Heading title="Nothing is here" />
      <Empty title="This address leads nowhere.">
        <p>
          The link may be old. <Link to="/">All instances</Link>
        </p>
      </Empty>
    </>
  );
}
