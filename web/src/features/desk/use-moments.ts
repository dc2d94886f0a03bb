import { useState } from "react";
import type { CaseDetail } from "@fava/wire/moderation.ts";
import { type Looks, useLooks } from "./use-looks.ts";

type Moment = CaseDetail["moments"][number];

interface Moments {
  /** The chosen one; null where there is none. */
  readonly moment: Moment | null;
  readonly at: number;
  readonly looks: Looks;
  readonly choose: (at: number) => void;
  /** Arrows choose a moment, Space shows or covers it; answers whether the key meant that. */
  readonly press: (key: string) => boolean;
}

/** The pictures that a moment has. */
export function idsOf({ own, received }: Moment): readonly string[] {
  return [own, received].filter((id) => id !== null);
}

/** The moments of a call with the newest chosen; what was looked at is covered again when another is chosen. */
export function useMoments(moments: readonly Moment[], userId: number): Moments {
  const [at, setAt] = useState(Math.max(0, moments.length - 1));
  const looks = useLooks(userId);
  const moment = moments[at] ?? null;

  function choose(to: number): void {
    const next = Math.min(moments.length - 1, Math.max(0, to));
    if (next === at) return;
    if (moment) looks.hide(idsOf(moment));
    setAt(next);
  }

  function press(key: string): boolean {
    if (!moment) return false;
    const ids = idsOf(moment);
    if (key === "Space") {
      const isShown = ids.some((id) => looks.of(id)?.phase === "shown");
      if (isShown) looks.hide(ids);
      else looks.show(ids);
      return true;
    }
    if (key !== "ArrowLeft" && key !== "ArrowRight") return false;
    const forward = (key === "ArrowRight") !== (document.documentElement.dir === "rtl");
    choose(at + (forward ? 1 : -1));
    return true;
  }

  return { moment, at, looks, choose, press };
}
