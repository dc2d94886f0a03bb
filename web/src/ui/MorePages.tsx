import type { ReactNode } from "react";
import { Button } from "#ui/Button.tsx";

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => unknown;
}

/** The button for the next page of a list, and its failure; empty after the last page. */
export function MorePages(props: {
  pages: Pages;
  text: string;
  failedText: string;
  pill?: boolean;
  className?: string | undefined;
}): ReactNode {
  const { pages } = props;
  if (!pages.hasNextPage) return null;
  return (
    <div className={props.className}>
      {pages.isFetchNextPageError && <p role="alert">{props.failedText}</p>}
      <Button
        kind="outline"
        size="small"
        pill={props.pill ?? false}
        loading={pages.isFetchingNextPage}
        onClick={() => void pages.fetchNextPage()}
      >
        {props.text}
      </Button>
    </div>
  );
}
