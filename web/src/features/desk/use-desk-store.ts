import { useEffect, useState } from "react";
import type { LivingStore } from "./machine-store.ts";

type LivingEvent = { readonly type: "leave" | "refresh" } | { readonly type: "online"; readonly isOnline: boolean };

interface DeskStore extends LivingStore {
  readonly dispatch: (event: LivingEvent) => void;
}

/**
 * A store that is made once and lives as long as the component: it hears of the network and of the page that goes away,
 * and sends what is pending when it ends.
 */
export function useDeskStore<Store extends DeskStore>(make: () => Store): Store {
  const [store] = useState(make);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const online = () => store.dispatch({ type: "online", isOnline: navigator.onLine });
    window.addEventListener("pagehide", () => store.dispatch({ type: "leave" }), { signal });
    window.addEventListener("online", online, { signal });
    window.addEventListener("offline", online, { signal });
    const end = store.start();
    online();
    store.dispatch({ type: "refresh" });
    return () => {
      listening.abort();
      end();
    };
  }, [store]);
  return store;
}
