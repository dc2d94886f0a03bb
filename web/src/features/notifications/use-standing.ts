import { useEffect, useState } from "react";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { useUser } from "#lib/session.ts";
import { type AskedKind, type Standing, standingOf } from "./ask.ts";

const nothing = async () => undefined;

/**
 * How this browser stands to something that it could tell, asked anew for another person; null until it is known.
 *
 * @param learn what has to be known with it; the same one each time.
 */
export function useStanding(
  kind: AskedKind,
  learn: () => Promise<unknown> = nothing,
): [Standing | null, (standing: Standing) => void] {
  const userId = useUser()?.user_id;
  const [standing, setStanding] = useState<Standing | null>(null);
  useEffect(() => {
    let isShown = true;
    Promise.all([standingOf(kind), learn()]).then(
      ([found]) => isShown && setStanding(found),
      (error: unknown) => {
        // Offered another time.
        if (!(error instanceof RequestFailure)) throw error;
      },
    );
    return () => {
      isShown = false;
    };
  }, [userId, kind, learn]);
  return [standing, setStanding];
}
