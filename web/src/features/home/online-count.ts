import { useEffect, useState } from "react";
import { onlineCountMax, onlineCountMin, onlineCountRefreshMs } from "@fava/wire/limits.ts";
import { useSettings } from "#lib/settings.ts";
import { whilePageVisible } from "#lib/use-page-visible.ts";

/**
 * The number of people online that the header shows: the true one where the operator chose so, otherwise the
 * specification's cosmetic number, random between 110000 and 111000 and new every 2.6 s (rule HOME-5).
 */
export function useOnlineCount(): number | null {
  const settings = useSettings();
  const [shown, setShown] = useState(randomCount);
  const cosmetic = settings?.online_count_mode === "display";
  useEffect(() => (cosmetic ? renewCount(setShown) : undefined), [cosmetic]);
  if (!settings) return null;
  return cosmetic ? shown : settings.online_count;
}

/** Shows a new random number again and again while the page can be seen (rule DEVICE-11); answers how to stop. */
export function renewCount(show: (count: number) => void): () => void {
  return whilePageVisible(() => {
    const timer = setInterval(() => show(randomCount()), onlineCountRefreshMs);
    return () => clearInterval(timer);
  });
}

export function randomCount(random: () => number = Math.random): number {
  return onlineCountMin + Math.floor(random() * (onlineCountMax - onlineCountMin + 1));
}
