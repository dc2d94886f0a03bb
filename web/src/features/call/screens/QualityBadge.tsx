import { weakSaidAgainMs, weakShownMs } from "@fava/wire/limits.ts";
import type { QualityLevel } from "@fava/wire/socket.ts";
import { WifiHigh } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { announce } from "#lib/announce.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Chip } from "#ui/Chip.tsx";

/** Whose connection is weak, where it is: nothing is said of one that is well. */
export function QualityBadge({ own, other }: { own: QualityLevel; other: QualityLevel }): ReactNode {
  const t = useT();
  const key = useLasting(keyOf(own, other));
  useSaidOnce(key && t(key));
  if (!key) return null;
  return (
    <Chip tone="video">
      <WifiHigh size={18} aria-hidden="true" />
      {t(key)}
    </Chip>
  );
}

/** A picture that is paused has words of its own. */
function keyOf(own: QualityLevel, other: QualityLevel): Key | null {
  const [isOwn, isOther] = [own, other].map((level) => level === 1 || level === 2);
  if (isOwn && isOther) return "quality.both";
  if (isOwn) return "quality.own";
  return isOther ? "quality.other" : null;
}

/** What has been so for a while. */
function useLasting(key: Key | null): Key | null {
  const [lasting, setLasting] = useState<Key | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLasting(key), key === null ? 0 : weakShownMs);
    return () => clearTimeout(timer);
  }, [key]);
  return key && lasting;
}

/** Said when it begins, and again only after it was well for a while. */
function useSaidOnce(text: string | null): void {
  const wellAtMs = useRef(-Infinity);
  useEffect(() => {
    if (text === null) return undefined;
    if (performance.now() - wellAtMs.current >= weakSaidAgainMs) announce(text);
    return () => {
      wellAtMs.current = performance.now();
    };
  }, [text]);
}
