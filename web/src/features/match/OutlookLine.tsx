import type { ReactNode } from "react";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { useOutlookLine } from "./outlook.ts";

/** How long a search with these filters takes. */
export function OutlookLine({ filters }: { filters: MatchFilters }): ReactNode {
  return <p {...useOutlookLine(filters).props} />;
}
