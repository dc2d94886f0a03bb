import { expect, test } from "vitest";
import { roles, type OwnUser } from "@fava/wire/people.ts";
import { guardRoute } from "./OtherRoutes.tsx";

const signedIn = (role: number) => ({ status: "signed-in", token: "t", user: { role } as OwnUser }) as const;
const person = { userId: 1, nickname: "ana", avatar: "" };

test("[GUARD-1] a protected route without a session asks to sign in", () => {
  expect(guardRoute({ status: "anonymous", because: null }, roles.moderator)).toBe("sign-in");
  expect(guardRoute({ status: "kicked" }, roles.moderator)).toBe("sign-in");
});

test("[GUARD-2] a role below 2 is sent to /404, moderators and administrators enter", () => {
  expect(guardRoute(signedIn(0), roles.moderator)).toBe("not-found");
  expect(guardRoute(signedIn(1), roles.moderator)).toBe("not-found");
  expect(guardRoute(signedIn(2), roles.moderator)).toBe("enter");
  expect(guardRoute(signedIn(3), roles.moderator)).toBe("enter");
});

test("[GUARD-3] nobody enters before the server has said what the role is", () => {
  expect(guardRoute({ status: "restoring", token: "t", person }, roles.moderator)).toBe("wait");
  expect(guardRoute({ status: "signing-in", token: "t", person }, roles.moderator)).toBe("wait");
});
