import { expect, test } from "vitest";
import { roles, type OwnUser } from "@fava/wire/people.ts";
import { guardRoute } from "./OtherRoutes.tsx";

const signedIn = (role: number) => ({ status: "signed-in", token: "t", user: { role } as OwnUser }) as const;
const person = { userId: 1, nickname: "ana", avatar: "" };

test("[GUARD-1] asks to sign in on a protected route without a session", () => {
  expect(guardRoute({ status: "anonymous", because: null }, roles.moderator)).toBe("sign-in");
  expect(guardRoute({ status: "kicked" }, roles.moderator)).toBe("sign-in");
});

test("[GUARD-2] sends a role below 2 to /404, and lets moderators and administrators in", () => {
  expect(guardRoute(signedIn(0), roles.moderator)).toBe("not-found");
  expect(guardRoute(signedIn(1), roles.moderator)).toBe("not-found");
  expect(guardRoute(signedIn(2), roles.moderator)).toBe("enter");
  expect(guardRoute(signedIn(3), roles.moderator)).toBe("enter");
});

test("[GUARD-3] opens no protected route before the server has sent the role", () => {
  expect(guardRoute({ status: "restoring", token: "t", person }, roles.moderator)).toBe("wait");
  expect(guardRoute({ status: "signing-in", token: "t", person }, roles.moderator)).toBe("wait");
});
