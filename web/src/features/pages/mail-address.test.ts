import { expect, test } from "vitest";
import { mailAddress } from "./SafetyPage.tsx";

test("starts the e-mail with the template, line by line", () => {
  expect(mailAddress("help@fava.example", { subject: "Black & mail", body: "One\nTwo: 12345678" })).toBe(
    "mailto:help@fava.example?subject=Black%20%26%20mail&body=One%0D%0ATwo%3A%2012345678",
  );
  expect(mailAddress("help@fava.example", { subject: "S" })).toBe("mailto:help@fava.example?subject=S");
});
