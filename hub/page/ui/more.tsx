import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "./button.tsx";

/** At the end of a list of which there's more: reads on as soon as it comes into view. */
export function More({
  from: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  readonly from: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}): ReactNode {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || !hasNextPage || isFetchingNextPage) {
      return undefined;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) {
          void fetchNextPage();
        }
      },
      { rootMargin: "400px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return hasNextPage ? (
    <div ref={end} className="more">
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show more
      </Button>
    </div>
  ) : null;
}
