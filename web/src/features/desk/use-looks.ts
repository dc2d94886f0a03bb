import { useCallback, useEffect, useRef, useState } from "react";
import { adminLook } from "@fava/wire/endpoints/desk.ts";
import { call } from "#lib/api/call.ts";
import { tellDeskFailure } from "./desk-failure.ts";

/** A piece of evidence that somebody asked to see. */
export type Look = { readonly phase: "asked" | "failed" } | { readonly phase: "shown"; readonly url: string };

export interface Looks {
  readonly of: (id: string | null) => Look | null;
  /** Shows what is covered, each with a call of its own that is written down (rule DESK-117). */
  readonly show: (ids: readonly string[]) => void;
  readonly hide: (ids: readonly string[]) => void;
}

/** What of the evidence is uncovered; everything is covered again with the component. */
export function useLooks(userId: number): Looks {
  const [looks, setLooks] = useState<ReadonlyMap<string, Look>>(new Map());
  const ended = useRef<AbortController>(null);
  useEffect(() => {
    const controller = new AbortController();
    ended.current = controller;
    return () => controller.abort();
  }, []);

  const set = useCallback((id: string, look: Look | null) => {
    setLooks((before) => {
      const after = new Map(before);
      if (look) after.set(id, look);
      else after.delete(id);
      return after;
    });
  }, []);

  const ask = useCallback(
    async (id: string) => {
      const signal = ended.current?.signal;
      set(id, { phase: "asked" });
      try {
        const { url } = await call(adminLook, { user_id: userId, id }, signal ? { signal } : {});
        if (!signal?.aborted) set(id, { phase: "shown", url });
      } catch (error) {
        if (signal?.aborted) return;
        set(id, { phase: "failed" });
        tellDeskFailure(error);
      }
    },
    [set, userId],
  );

  return {
    of: (id) => (id === null ? null : (looks.get(id) ?? null)),
    show: (ids) => {
      for (const id of ids) if (looks.get(id)?.phase !== "asked" && looks.get(id)?.phase !== "shown") void ask(id);
    },
    hide: (ids) => {
      for (const id of ids) set(id, null);
    },
  };
}
