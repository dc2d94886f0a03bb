import { createContext, useContext } from "react";
import type { CallRuntime } from "./call-runtime.ts";

/** The call of the page that is drawn. */
export const CallRuntimeContext = createContext<CallRuntime | null>(null);

/** What a person can do with the call: start, stop, next, switches, messages. */
export function useCallRuntime(): CallRuntime {
  const runtime = useContext(CallRuntimeContext);
  if (!runtime) throw new Error("a part of the call is drawn outside of its layer");
  return runtime;
}
