import type { MailTexts } from "./text-shape.ts";

export const en: MailTexts = {
  confirm: {
    subject: "Confirm your e-mail address for Fava",
    text: [
      "Someone typed this address in a Fava account. If it was you, open this page within 24 hours and press the button:",
      "{link}",
      "If it wasn’t you, do nothing. Without a confirmation Fava sends no other e-mails to this address.",
    ],
  },
  appealUpheld: { subject: "Our answer to your appeal", text: ["We read your appeal. The decision stands."] },
  appealShortened: {
    subject: "Our answer to your appeal",
    text: ["We read your appeal. Your ban is shorter now: it ends on {until}."],
  },
  appealLifted: {
    subject: "Our answer to your appeal",
    text: ["We read your appeal. Your ban is lifted, and you can sign in again."],
  },
  noticeUpheld: {
    subject: "Our decision on your notice {no}",
    text: ["We agree with your notice {no}.", "Read the decision on this page:", "{link}"],
  },
  noticeUnfounded: {
    subject: "Our decision on your notice {no}",
    text: ["We found no violation in what your notice {no} is about.", "Read the decision on this page:", "{link}"],
  },
  ban: {
    subject: "Your Fava account is banned",
    text: [
      "Reason: {reason}.",
      "{by}",
      "{end}",
      "Sign in to read the whole statement. There you can appeal within six months. It’s free, and someone else decides:",
      "{link}",
    ],
  },
  deletion: {
    subject: "Your Fava account will be deleted",
    text: [
      "Your account is deleted, as you asked. Until {until} you can sign in and get everything back. After that we erase it.",
      "{link}",
      "If it wasn’t you, sign in now to get it back.",
    ],
  },
  deletionLast: {
    subject: "Last day to keep your Fava account",
    text: ["We erase your account after {until}. To keep it, sign in before then:", "{link}"],
  },
  ageCheck: {
    subject: "Fava asks you for an age check",
    text: [
      "A moderator asks you for an age check. Until you pass it, you can’t meet people on Fava. Please do it before {until}:",
      "{link}",
    ],
  },
  receipt: {
    subject: "Your receipt from Fava",
    text: ["You bought {beans} beans for {money} on {at}.", "Order number: {order}"],
  },
  signIn: {
    subject: "New sign-in to your Fava account",
    text: [
      "Your account was used on a new device on {at}: {device}.",
      "If it wasn’t you, open “Account and data” on Fava and sign out everywhere. Then change the password of the service that you sign in with.",
      "{link}",
    ],
  },
  missedCall: { subject: "You missed a call on Fava", text: ["A friend called you on {at}.", "{link}"] },
  test: {
    subject: "Test mail from Fava",
    text: ["This is a test that was sent on {at}. If it arrives, this site can send e-mails."],
  },
  wrote: "The moderator wrote:",
  byPerson: "A person decided this.",
  bySoftware: "Software decided this, and a person will check it.",
  ends: "It ends on {until}.",
  noEnd: "It has no end date.",
  unknown: "unknown device",
  why: "You get this e-mail because you gave this address in your Fava account.",
  whyOnce: "You get this e-mail because you gave this address for this matter. Fava uses it for nothing else.",
  stop: "Stop e-mails of this kind:",
  page: {
    confirm: "Confirm your e-mail address",
    confirmText: "Press the button to get e-mails from Fava at the address where you found this link.",
    confirmGo: "Confirm",
    confirmed: "Your address is confirmed",
    confirmedText: "You can choose your e-mails in “Account and data”.",
    expired: "This link no longer works",
    expiredText: "Type your address in “Account and data” again to get a new one.",
    stop: "Stop these e-mails?",
    stopText: "You’ll get no more e-mails of this kind: {kind}.",
    stopGo: "Stop",
    stopped: "Done",
    stoppedText: "Fava sends you no more e-mails of this kind: {kind}.",
    open: "Open Fava",
  },
  kinds: {
    receipt: "receipts",
    sign_in: "new sign-ins",
    missed_call: "missed calls",
  },
};
