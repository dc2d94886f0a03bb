import { expect, test } from "vitest";
import { splitMasked } from "./Transcript.tsx";

test("marks what was masked in a line, and leaves the rest", () => {
  expect(splitMasked("add me •••• •••• now")).toEqual([
    { text: "add me ", isMasked: false },
    { text: "•••• ••••", isMasked: true },
    { text: " now", isMasked: false },
  ]);
  expect(splitMasked("nothing here")).toEqual([{ text: "nothing here", isMasked: false }]);
});
