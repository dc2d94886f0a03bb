import { type ReactNode, useEffect, useState } from "react";
import { reportFailedChunk } from "#lib/failed-chunk.ts";
import type { LazyPart } from "#ui/lazy-with-timeout.ts";

interface LoadedPartProps {
  part: LazyPart<object>;
  /** Called when the part failed to load; the user was then told already. */
  onMissing: () => void;
  /** Another value loads a missing part again. */
  attempt?: unknown;
}

/**
 * Nothing until the part is loaded, then the part. Unlike with `Suspense`, which shows a part 300 ms after its fallback
 * at the earliest, the part then appears at once.
 */
export function LoadedPart({ part: Part, onMissing, attempt }: LoadedPartProps): ReactNode {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    let isWanted = true;
    Part.preload().then(
      () => setLoaded(true),
      () => {
        if (!isWanted) return;
        reportFailedChunk();
        onMissing();
      },
    );
    return () => void (isWanted = false);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `onMissing` is a new function in each rendering
  }, [Part, attempt]);
  return isLoaded && <Part />;
}
