import { useEffect, useState } from "react";
import { currentSubscription } from "./push-subscription.ts";

/** The push endpoint of this browser; null without one, undefined until that is known. */
export function usePushEndpoint(): string | null | undefined {
  const [endpoint, setEndpoint] = useState<string | null>();
  useEffect(() => {
    let isShown = true;
    void currentSubscription().then((subscription) => isShown && setEndpoint(subscription?.endpoint ?? null));
    return () => {
      isShown = false;
    };
  }, []);
  return endpoint;
}
