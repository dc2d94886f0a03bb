import { describe, expect, test } from "vitest";
import type { Pusher, PushMessage } from "#ports/pusher.ts";
import { fakeBrowser } from "#test/fakes/fake-browser.ts";

export interface PusherWorld {
  pusher: Pusher;
  /** Sent messages, as the browser decrypts them. */
  sent: () => readonly PushMessage[];
}

/** Hosts of push services that each adapter accepts. */
export const pushHosts = ["fcm.googleapis.com", "*.push.apple.com"];

const message = { payload: '{"web_push":8030}', ttlSeconds: 60, topic: "a-topic", isUrgent: true };

const refusedAddresses = [
  "http://fcm.googleapis.com/send/1",
  "https://fcm.googleapis.com:8443/send/1",
  "https://somebody@fcm.googleapis.com/send/1",
  "https://fcm.googleapis.com/send/1#part",
  "https://fcm.googleapis.com./send/1",
  "https://fcm.googleapis.com.evil.test/send/1",
  "https://evil.test/fcm.googleapis.com",
  "https://notfcm.googleapis.com/send/1",
  "https://push.apple.com/send/1",
  "https://.push.apple.com/send/1",
  "https://web..push.apple.com/send/1",
  "https://evilpush.apple.com/send/1",
  "https://localhost/send/1",
  "https://127.0.0.1/send/1",
  "https://[::1]/send/1",
  "https://169.254.169.254/latest/meta-data",
  "https://10.0.0.7/send/1",
  "file:///etc/passwd",
  "no address",
  `https://fcm.googleapis.com/${"x".repeat(1_024)}`,
];

/** Contract of `Pusher`; `makeWorld` opens an adapter for one browser for each test. */
export function pusherContract(
  name: string,
  makeWorld: (browser: ReturnType<typeof fakeBrowser>) => PusherWorld,
): void {
  const good = fakeBrowser("https://fcm.googleapis.com/fcm/send/1");

  describe(`pusher: ${name}`, () => {
    test.each([
      "https://fcm.googleapis.com/fcm/send/1",
      "https://web.push.apple.com/1",
      "https://fcm.googleapis.com:443/1",
    ])("[NOTIFY-3] delivers a message to %s unchanged", async (endpoint) => {
      const browser = fakeBrowser(endpoint);
      const { pusher, sent } = makeWorld(browser);
      expect(pusher.wrongPart(browser.target)).toBeNull();
      expect(await pusher.send(browser.target, message)).toBe("sent");
      expect(sent()).toMatchObject([message]);
    });

    test.each(refusedAddresses)("[NOTIFY-2] never sends to %s", async (endpoint) => {
      const { pusher, sent } = makeWorld(good);
      const target = { ...good.target, endpoint };
      expect(pusher.wrongPart(target)).toBe("endpoint");
      expect(await pusher.send(target, message)).toBe("gone");
      expect(sent()).toEqual([]);
    });

    test("[NOTIFY-2] rejects keys of another length, encoding or curve by name", async () => {
      const { pusher, sent } = makeWorld(good);
      const { p256dh, auth } = good.target;
      // Changing a coordinate moves the point off the curve.
      const beside = Buffer.from(p256dh, "base64url");
      beside[64]! ^= 1;
      for (const wrong of ["", auth, p256dh.slice(0, -4), beside.toString("base64url")]) {
        expect(pusher.wrongPart({ ...good.target, p256dh: wrong })).toBe("p256dh");
        expect(await pusher.send({ ...good.target, p256dh: wrong }, message)).toBe("gone");
      }
      for (const wrong of ["", p256dh, auth.slice(0, -4)])
        expect(pusher.wrongPart({ ...good.target, auth: wrong })).toBe("auth");
      expect(sent()).toEqual([]);
    });
  });
}
