import { askFor } from "./ask.ts";
import { useStanding } from "./use-standing.ts";

/**
 * "Tell me when I am away", beside a call of a friend that was missed: asks our own question. Null where this browser tells
 * of such calls, can tell nothing, was told no, or its owner did not want it in the last 30 days.
 */
export function useRingOffer(): (() => void) | null {
  const [standing, setStanding] = useStanding("ring");
  if (standing !== "open") return null;
  return () => void askFor("ring").then((result) => setStanding(result === "done" ? "on" : "declined"));
}
