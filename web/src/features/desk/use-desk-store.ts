import { useEffect, useState } from "react";
import { connection, isReachable, onBack } from "#lib/connection.ts";
import type { LivingStore } from "./machine-store.ts";

type LivingEvent = { readonly type: "leave" | "refresh" } | { readonly type: "online"; readonly isOnline: boolean };

interface DeskStore extends LivingStore {
  readonly dispatch: (event: LivingEvent) => void;
}

/**
 * A store that is made once and lives as long as the component: it hears whether Fava can be reached and of the page that goes
 * away, and sends what is pending when it ends.
 */
export function useDeskStore<Store extends DeskStore>(make: () => Store): Store {
  const [store] = useState(make);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const online = () => store.dispatch({ type: "online", isOnline: isReachable() });
    const stops = [connection.subscribe(online), onBack(() => store.dispatch({ type: "refresh" }))];
    window.addEventListener("pagehide", () => store.dispatch({ type: "leave" }), { signal });
    const end = store.start();
    online();
    store.dispatch({ type: "refresh" });
    return () => {
      listening.abort();
      for (const stop of stops) stop();
      end();
    };
  }, [store]);
  return store;
}
