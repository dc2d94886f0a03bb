import { meetingShownMs } from "@fava/wire/limits.ts";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { idle, stepCall } from "#features/call/machine/call-machine.ts";
import type { CallEvent, CallState, InRoom } from "#features/call/machine/call-state.ts";
import { openCall } from "#testing/call-page.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { Meeting } from "./Meeting.tsx";

const meeting = () => document.querySelector("#call [data-meeting]");

test("shows name, country and what both share large over the first video, then leaves it clear", async () => {
  const opened = openCall({}, { remote: { shared: { languages: [12], interests: [7] } } });
  await expect.poll(meeting, { timeout: 15_000 }).not.toBeNull();
  const [name, country, shared] = [...meeting()!.querySelectorAll("bdi, span:last-child")].map(
    ({ textContent }) => textContent,
  );
  expect([name, country]).toEqual(["Bo", "Brazil"]);
  expect(shared).not.toBe("");
  // Screen readers hear of the match already, and no press is caught.
  expect(meeting()?.getAttribute("aria-hidden")).toBe("true");
  expect(getComputedStyle(meeting()!).pointerEvents).toBe("none");
  await opened;
  await expect.poll(meeting, { timeout: meetingShownMs + 2_000 }).toBeNull();
});

test("shows nothing large when a call continues after a reload", async () => {
  const match = matchedPush("r1", { returned: { generation: 1, live_ms: 5_000 } });
  const events: CallEvent[] = [
    { type: "return", match, wish: { sex: 0, country: -1 }, fromRing: false },
    { type: "matched", match, nowMs: 2 },
    { type: "first-frame", roomId: "r1", nowMs: 3 },
  ];
  const room = events.reduce<CallState>((state, event) => stepCall(state, event).state, idle) as InRoom;
  expect(room.status).toBe("in-call");
  const screen = await render(<Meeting room={room} />);
  expect(screen.container.textContent).toBe("");
});
