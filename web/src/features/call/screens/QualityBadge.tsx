import { weakReannounceMs, weakShownMs } from "@fava/wire/limits.ts";
import { WifiHigh } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { QualityLevels } from "#features/call/machine/call-store.ts";
import { announce } from "#lib/announce.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Chip } from "#ui/Chip.tsx";

/** Whose connection is weak; hidden while both are good. */
export function QualityBadge(levels: QualityLevels): ReactNode {
  const t = useT();
  const key = useLasting(keyOf(levels));
  useSaidOnce(key && t(key));
  if (!key) return null;
  return (
    <Chip tone="video">
      <WifiHigh size={18} aria-hidden="true" />
      {t(key)}
    </Chip>
  );
}

/** A paused video has its own text. */
function keyOf({ own, other }: QualityLevels): Key | null {
  const [isOwn, isOther] = [own, other].map((level) => level === 1 || level === 2);
  if (isOwn && isOther) return "quality.both";
  if (isOwn) return "quality.own";
  return isOther ? "quality.other" : null;
}

/** A value that has not changed for a while. */
function useLasting(key: Key | null): Key | null {
  const [lasting, setLasting] = useState<Key | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLasting(key), key === null ? 0 : weakShownMs);
    return () => clearTimeout(timer);
  }, [key]);
  return key && lasting;
}

/** Announces a weak connection when it starts, and again only after a good period. */
function useSaidOnce(text: string | null): void {
  const wellAtMs = useRef(-Infinity);
  useEffect(() => {
    if (text === null) return undefined;
    if (performance.now() - wellAtMs.current >= weakReannounceMs) announce(text);
    return () => {
      wellAtMs.current = performance.now();
    };
  }, [text]);
}
