/** Texts that are rightly the same as in English, with the reason; without `languages` in every language. */
export const sameAsEnglish: readonly { key: string; languages?: readonly string[]; reason: string }[] = [
  { key: "page.copyright", reason: "a sign, a year and the product's name" },
  { key: "ban.reason.3", languages: ["id"], reason: "Indonesian says spam too" },
  { key: "pref.global", languages: ["id"], reason: "Indonesian writes global too" },
  { key: "call.volume", languages: ["id"], reason: "Indonesian says volume too" },
  { key: "search.choice", languages: ["tr", "id"], reason: "two placeholders and a comma" },
  { key: "account.ended", languages: ["tr", "id"], reason: "three placeholders and commas" },
  { key: "account.endedNowhere", languages: ["tr", "id"], reason: "two placeholders and a comma" },
  { key: "account.onOne", languages: ["tr", "id"], reason: "two placeholders and a comma" },
  { key: "other.number", languages: ["id"], reason: "Indonesian abbreviates number as No. too" },
  { key: "desk.image.avatar", languages: ["id"], reason: "Indonesian says avatar too" },
  { key: "desk.keys.label", languages: ["id"], reason: "Indonesian says label too" },
  { key: "desk.label", languages: ["id"], reason: "Indonesian says label too" },
  { key: "desk.review.clear", languages: ["tr", "id"], reason: "two placeholders and a comma" },
  { key: "desk.review.now", languages: ["tr", "id"], reason: "two placeholders and a comma" },
  { key: "desk.role.2", languages: ["id"], reason: "Indonesian says moderator too" },
  { key: "desk.role.3", languages: ["id"], reason: "Indonesian says administrator too" },
];
