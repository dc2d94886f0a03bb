import type { ReactNode } from "react";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { useWaitEstimate } from "./wait-estimate.ts";

/** The expected duration of a search with these filters. */
export function WaitEstimate({ filters }: { filters: MatchFilters }): ReactNode {
  return <p {...useWaitEstimate(filters).props} />;
}
