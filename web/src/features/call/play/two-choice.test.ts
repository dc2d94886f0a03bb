import { twoChoiceAgainMs, twoChoiceQuestions } from "@fava/wire/limits.ts";
import { beforeEach, expect, test } from "vitest";
import { noteChoice, questionToAsk, resetTwoChoice, takeTwoChoice } from "./two-choice.ts";

beforeEach(resetTwoChoice);

const asked = (question: number) => ({ type: "two-choice", roomId: "room", question, left_ms: 30_000 }) as const;

test("asks every question once before one repeats, beginning elsewhere in another call", () => {
  const heard = new Set<number>();
  for (let turn = 0; turn < twoChoiceQuestions; turn += 1) {
    const question = questionToAsk("room", turn * twoChoiceAgainMs) ?? 0;
    heard.add(question);
    takeTwoChoice(asked(question), turn * twoChoiceAgainMs);
  }
  expect(heard.size).toBe(twoChoiceQuestions);
  expect([Math.min(...heard), Math.max(...heard)]).toEqual([1, twoChoiceQuestions]);
  resetTwoChoice();
  const begins = Array.from({ length: 20 }, (_, room) => questionToAsk(`room ${room}`, 0));
  expect(new Set(begins).size).toBeGreaterThan(5);
});

test("asks nothing while the present question can still be answered, and counts the first choice", () => {
  takeTwoChoice(asked(3), 1_000);
  expect(questionToAsk("room", 1_000 + twoChoiceAgainMs - 1)).toBeNull();
  expect([noteChoice(1), noteChoice(0)]).toEqual([3, null]);
  takeTwoChoice({ ...asked(3), left_ms: 0, choices: { own: 1, other: 0 } }, 2_000);
  expect(questionToAsk("room", 2_000)).not.toBeNull();
});
