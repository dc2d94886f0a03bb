import { useCallback, useEffect, useRef, useState } from "react";
import { typingRepeatMs } from "@fava/wire/limits.ts";
import { onSocialFrame, tellTyping } from "#lib/social-frames.ts";

/** Whether the other of a call writes, and how to tell them that this one does: at most every `typingRepeatMs` (rule CHAT-5). */
export function useTyping(externalId: string): { isTyping: boolean; typed: () => void; heard: () => void } {
  const [isTyping, setTyping] = useState(false);
  const toldAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onSocialFrame((frame) => {
      if (frame.type !== "typing" || frame.externalId !== externalId) return;
      setTyping(true);
      clearTimeout(timer);
      timer = setTimeout(() => setTyping(false), 2 * typingRepeatMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
      setTyping(false);
    };
  }, [externalId]);
  const typed = useCallback(() => {
    if (performance.now() - toldAtMs.current < typingRepeatMs) return;
    toldAtMs.current = performance.now();
    tellTyping(externalId);
  }, [externalId]);
  const heard = useCallback(() => setTyping(false), []);
  return { isTyping, typed, heard };
}
