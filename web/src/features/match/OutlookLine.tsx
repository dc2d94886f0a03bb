import type { ReactNode } from "react";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { useOutlookLine } from "./outlook.ts";

/** The expected duration of a search with these filters. */
export function OutlookLine({ filters }: { filters: MatchFilters }): ReactNode {
  return <p {...useOutlookLine(filters).props} />;
}
