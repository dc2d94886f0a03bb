import type { SafetyContent } from "#lib/page-content.ts";

export const page: SafetyContent = {
  title: "Someone is threatening you?",
  lead: "You did nothing wrong, and you are not alone. Do these four things, in this order.",
  steps: [
    {
      heading: "Do not pay",
      text: "Paying almost never ends it. Who pays is asked again.",
    },
    {
      heading: "Stop answering",
      text: "Do not argue, do not beg. Block, but do not delete the chat.",
    },
    {
      heading: "Keep proof",
      text: "Screenshots, names, numbers, times. Do not pass any intimate picture on.",
    },
    {
      heading: "Tell us, then the police",
      text: "We look at reports of blackmail first. Evidence is kept for {evidenceKept}.",
    },
  ],
  template:
    "Somebody I met on Fava is blackmailing me.\n\nNumber or nickname of that account: {number}\nMy own account number: \nWhen we met (date, time, my time zone): \nWhat they threaten, and what they ask for: \nWhere they write to me (app, name, number): \n\nI have not paid and I have kept screenshots. Please keep the evidence and stop that account.",
  talk: {
    heading: "While you talk",
    parts: [
      {
        heading: "One key out",
        text: "Press X, or the shield on a phone. The picture goes, you leave, and the other person is blocked and reported.",
      },
      {
        heading: "Blurred first",
        text: "You see nobody clearly before the first check has passed. If something is unsure later, it blurs again.",
      },
      {
        heading: "Your place stays yours",
        text: "The other side never gets your network address. Your country is shown, and nothing closer.",
      },
      {
        heading: "After the call",
        text: "For {recent} you can still report or block anyone you met, in the list of recent people.",
      },
    ],
  },
  removal: {
    heading: "A picture of you is online",
    text: "Tell us where it is. If it is on a profile here, we remove it and refuse it when it is uploaded again. If it came from a call here, tell us when: we look for the account and seal what evidence there is. For other places two free services help; the picture stays with you, only its fingerprint goes out. The first is for adults, the second for anyone who was under 18 in the picture.",
  },
  minor: {
    heading: "Someone may be under 18",
    text: "Leave the call and report “May be under 18”. That account stops meeting people at once, and an administrator looks. If you are under 18 yourself and somebody puts you under pressure: it is not your fault, and nobody here will blame you. Tell us, and tell an adult whom you trust.",
  },
  danger: {
    heading: "If you are in danger now",
    text: "Call the emergency number of your country first. If you think of hurting yourself, call somebody, now: this passes, and people can help.",
  },
  visit: {
    heading: "Your visit here",
    text: "Reading this page is neither counted nor sold. “Leave this page” goes to the start page, and Back does not lead here again. Your browser’s own history still names the page; you can delete it there.",
  },
};
