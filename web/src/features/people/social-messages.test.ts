import { afterEach, expect, test } from "vitest";
import {
  onSocial,
  onSocialMessage,
  publishSessionNew,
  publishSocial,
  joinTabs,
  sendTyping,
} from "./social-messages.ts";

const typing = { type: "typing", externalId: "bo" } as const;
let owner = new AbortController();

afterEach(() => {
  owner.abort();
  owner = new AbortController();
});

/** Another tab of the user with this id, as the browser connects them. */
function otherTab(userId: number): { channel: BroadcastChannel; next: () => Promise<unknown> } {
  const channel = new BroadcastChannel(`fava-social-${userId}`);
  owner.signal.addEventListener("abort", () => channel.close());
  const next = () =>
    new Promise((resolve) =>
      channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => resolve(data), { once: true }),
    );
  return { channel, next };
}

test("passes what the socket receives on to the other tabs of the same user", async () => {
  joinTabs(7, owner.signal);
  const other = otherTab(7);
  const heard = other.next();
  publishSocial(typing);
  expect(await heard).toEqual({ type: "frame", frame: typing });
  const next = other.next();
  publishSessionNew();
  expect(await next).toEqual({ type: "session-new" });
});

test("follows without a socket, and asks the tab with one to send", async () => {
  joinTabs(7, owner.signal);
  const other = otherTab(7);
  const heard = new Promise((resolve) => onSocialMessage(resolve));
  other.channel.postMessage({ type: "frame", frame: typing });
  expect(await heard).toEqual(typing);
  const asked = other.next();
  sendTyping("bo");
  expect(await asked).toEqual({ type: "tell-typing", externalId: "bo" });
});

test("ignores another user's tab, and messages that no version of the page sends", async () => {
  joinTabs(7, owner.signal);
  const heard: unknown[] = [];
  const stop = onSocialMessage((frame) => heard.push(frame));
  otherTab(8).channel.postMessage({ type: "frame", frame: typing });
  const mine = otherTab(7).channel;
  mine.postMessage({ type: "frame", frame: { type: "welcome" } });
  mine.postMessage("nonsense");
  const last = new Promise((resolve) => onSocial({ sessionNew: () => resolve(null) }));
  mine.postMessage({ type: "session-new" });
  await last;
  stop();
  expect(heard).toEqual([]);
});

test("passes nothing on after sign-out", async () => {
  const session = new AbortController();
  joinTabs(7, session.signal);
  const other = otherTab(7);
  session.abort();
  const heard: unknown[] = [];
  const stop = onSocialMessage((frame) => heard.push(frame));
  const next = other.next();
  publishSocial(typing);
  expect(heard).toEqual([typing]);
  const witness = otherTab(7);
  const seen = witness.next();
  other.channel.postMessage({ type: "frame", frame: typing });
  await seen;
  witness.channel.postMessage("end");
  expect(await next).toBe("end");
  stop();
  expect(heard).toEqual([typing]);
});
