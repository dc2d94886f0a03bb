import { useEffect, useReducer } from "react";
import { beanStatement } from "@fava/wire/endpoints/beans.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { useUser } from "#lib/session.ts";
import { firstList, type StatementFilter, type StatementList, stepStatement } from "./statement-list.ts";

/** The statement of the signed-in person, page by page. */
export function useStatement(): {
  list: StatementList;
  show: (filter: StatementFilter) => void;
  more: () => void;
} {
  const [list, dispatch] = useReducer(stepStatement, firstList);
  const userId = useUser()?.user_id;
  const { ask } = list;
  useEffect(() => {
    if (userId === undefined) return undefined;
    const owner = new AbortController();
    call(beanStatement, { user_id: userId, ...ask }, { quiet: true, signal: owner.signal }).then(
      (page) => dispatch({ type: "loaded", ask, page }),
      (error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason !== "aborted") dispatch({ type: "failed", ask });
      },
    );
    return () => owner.abort();
  }, [userId, ask]);
  return {
    list,
    show: (filter) => dispatch({ type: "show", filter }),
    more: () => dispatch({ type: "more" }),
  };
}
