import { type ReactNode, useEffect, useRef } from "react";
import { startFlow } from "#app/start-flow.ts";
import { useCallState } from "#features/call/machine/call-store.ts";
import { MessagesPanel } from "#features/messages/MessagesPanel.tsx";
import { closeOverlay } from "#lib/overlays.ts";

/** The messages over the home screen, or over the call in which they were opened; a call that starts closes them. */
export function MessagesOverlay(): ReactNode {
  const inCall = useCallState().status !== "idle";
  const wasInCall = useRef(inCall);
  useEffect(() => {
    if (inCall && !wasInCall.current) closeOverlay("messages");
    wasInCall.current = inCall;
  }, [inCall]);
  return (
    <MessagesPanel
      overCall={inCall}
      onStart={() => {
        closeOverlay("messages");
        void startFlow();
      }}
    />
  );
}
