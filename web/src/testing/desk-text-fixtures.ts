import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { adminTextList, TextQuestion } from "@fava/wire/endpoints/text-questions.ts";
import { deskFace } from "#testing/desk-case-fixtures.ts";

const hourMs = 3_600_000;

/** A question about an about-me text of one of the desk's people. */
export function textQuestionOf(index: number, nowMs: number, change: Partial<TextQuestion> = {}): TextQuestion {
  const text = "We won 21-19 18-21 21-15 last week. Volleyball, tea and long walks.";
  return {
    id: String(700 + index),
    person: deskFace(index),
    place: "about",
    source: "person",
    text,
    spans: [{ start: 7, end: 24, finding: "phone", rule: "contact:phone" }],
    current: "Volleyball and tea.",
    mute: null,
    at: nowMs - hourMs,
    due_at: nowMs + 23 * hourMs,
    claim: null,
    ...change,
  };
}

/** A mute, an about-me text, a name that came with a sign-in, a name that Vera has claimed, and a location. */
export function textQuestions(nowMs: number): OutputOf<typeof adminTextList> {
  const name = { place: "nickname", current: "Kike" } as const;
  const insult = { start: 0, end: 4, finding: "abuse", rule: "es:39" } as const;
  return {
    rows: [
      textQuestionOf(0, nowMs, {
        place: "mute",
        text: "",
        spans: [],
        current: "",
        mute: { rule: "contact_in_chat", until: nowMs + 0.6 * hourMs, case_id: "20417" },
        due_at: nowMs + 0.8 * hourMs,
      }),
      textQuestionOf(1, nowMs),
      textQuestionOf(3, nowMs, { ...name, source: "provider", text: "Kike", spans: [insult] }),
      textQuestionOf(2, nowMs, {
        ...name,
        text: "Puta Madre",
        spans: [insult],
        claim: { mine: false, name: "Vera", until: nowMs + 0.1 * hourMs },
      }),
      textQuestionOf(4, nowMs, { place: "location", text: "asp.net city", spans: [], current: "" }),
    ],
    next: null,
    waiting: 5,
    oldest_at: nowMs - hourMs,
  };
}
