import { createContext, useContext } from "react";
import type { CallRuntime } from "./call-runtime.ts";

/** Gives the screens of a call the runtime that they act on. */
export const CallRuntimeContext = createContext<CallRuntime | null>(null);

/** The user's actions in a call. @throws Error outside of the call layer */
export function useCallRuntime(): CallRuntime {
  const runtime = useContext(CallRuntimeContext);
  if (!runtime) throw new Error("no call runtime in the context");
  return runtime;
}
