/** What a test card makes happen; also the value of the choice on the page. */
export const testCardOutcomes = [
  "success",
  "decline",
  "challenge",
  "late",
  "duplicate",
  "dispute",
  "silent",
  "wrong_amount",
] as const;
export type TestCardOutcome = (typeof testCardOutcomes)[number];

/**
 * The only numbers that the page takes. All of them are published test numbers that no bank ever issued, so that nobody
 * is asked for a real card.
 */
export const testCards: Readonly<Record<TestCardOutcome, string>> = {
  success: "4242424242424242",
  decline: "4000000000000002",
  challenge: "4000002500003155",
  late: "4000000000000077",
  duplicate: "4000000000000119",
  dispute: "4000000000000259",
  silent: "4000000000005126",
  wrong_amount: "4000000000000341",
};

/** The outcome of a number as it was typed, with blanks; null for every other number. */
export function outcomeOfCard(number: string): TestCardOutcome | null {
  const digits = number.replaceAll(" ", "");
  return testCardOutcomes.find((outcome) => testCards[outcome] === digits) ?? null;
}
