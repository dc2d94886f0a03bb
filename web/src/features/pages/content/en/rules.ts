import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Community rules",
  effective: "2026-11-21",
  short: [
    "Be kind, be dressed, be yourself.",
    "Be 18 or over, and never record anybody without consent.",
    "If somebody breaks a rule, leave and tell us: people read every report.",
  ],
  sections: [
    {
      id: "respect",
      heading: "Treat people well",
      blocks: [
        {
          kind: "paragraph",
          text: "Behind every picture is a person who took the courage to press Start. You need not like everybody; a friendly goodbye is enough.",
        },
        {
          kind: "list",
          items: [
            "No insults, no hate because of origin, skin, faith, gender, sexuality, disability or age.",
            "No harassment: a no is a no, and pressing Next is a no too.",
            "No threats, no blackmail, no calls to hurt somebody or oneself.",
          ],
        },
      ],
    },
    {
      id: "dressed",
      heading: "Keep your clothes on",
      blocks: [
        {
          kind: "list",
          items: [
            "No nudity, no underwear shows, no sexual acts, also not with words, toys or pictures held to the camera.",
            "No pornography, neither your own nor anybody else’s.",
            "Do not ask others to undress, and do not offer it.",
          ],
        },
      ],
    },
    {
      id: "adults",
      heading: "Adults only",
      blocks: [
        {
          kind: "paragraph",
          text: "You must be 18 or over. Nobody under 18 may be in the picture, not even in the background and not for a moment.",
        },
        {
          kind: "paragraph",
          text: "Anything that sexualises children ends in a ban for good and is handed to the authorities where the law provides for it.",
        },
        {
          kind: "paragraph",
          text: "If you are under 18 yourself, please leave. Nobody will be angry with you, and you can come back when you are 18.",
        },
      ],
    },
    {
      id: "recording",
      heading: "Never record",
      blocks: [
        {
          kind: "paragraph",
          text: "Do not record, photograph, stream or capture the screen of a call unless the other person has clearly agreed. Do not bring an audience either: the other person thinks of two people in this call.",
        },
        {
          kind: "paragraph",
          text: "Whoever threatens to publish a recording commits blackmail. Do not pay, keep proof, and tell us: the [safety centre](/safety) says what to do, in order.",
        },
      ],
    },
    {
      id: "danger",
      heading: "Nothing dangerous or illegal",
      blocks: [
        {
          kind: "list",
          items: [
            "No weapons held to the camera, no violence, no cruelty to animals, no self-harm.",
            "No drugs on offer, no help with crimes.",
            "No glorifying of terror or of organisations that spread it.",
          ],
        },
      ],
    },
    {
      id: "honest",
      heading: "Be yourself",
      blocks: [
        {
          kind: "list",
          items: [
            "Show your own live face. No recorded video, no bots, no picture of another person, no face swapped by software.",
            "State your real gender and your real birthday.",
            "One person, one account. Do not come back with a second account while you are banned.",
          ],
        },
      ],
    },
    {
      id: "money",
      heading: "No selling, no begging",
      blocks: [
        {
          kind: "list",
          items: [
            "No advertising, no links to paid shows, no recruiting, no begging for money or gifts.",
            "No fraud: no false emergencies, no investments, no love for money.",
            "Beans, accounts and favours are not for trade.",
          ],
        },
      ],
    },
    {
      id: "private",
      heading: "Keep private things private",
      blocks: [
        {
          kind: "paragraph",
          text: "Do not share telephone numbers, addresses, bank data or documents, neither your own nor anybody else’s, and do not ask for them. Do not put such things in your nickname or profile.",
        },
      ],
    },
    {
      id: "leave",
      heading: "Protect yourself",
      blocks: [
        {
          kind: "list",
          items: [
            "You can leave at any time, without a reason: Escape ends the call, the right arrow goes to the next person.",
            "To get out at once, press X, or the shield on a phone: the picture goes, the call ends, and the other person is blocked and reported. Within {undo} you can undo that.",
            "Camera and microphone have their own switches.",
            "Do not send money, and do not move to another app because somebody urges you to.",
            "If you are in danger, call the emergency number of your country first.",
          ],
        },
      ],
    },
    {
      id: "report",
      heading: "Tell us",
      blocks: [
        {
          kind: "paragraph",
          text: "Press the flag during a call, on a message, in recent people (for {recent}) or on a profile; if that is not possible, write to {email} with the time of the call. People read every report, the worst first, and you are told what came of it. Your report is kept for {reportsKept}, evidence for {evidenceKept}. The other person is never told who reported.",
        },
        {
          kind: "paragraph",
          text: "Please report honestly. Reports made up to harm somebody break these rules as well.",
        },
      ],
    },
    {
      id: "consequences",
      heading: "What happens when a rule is broken",
      blocks: [
        {
          kind: "table",
          head: ["Who decides", "What can happen"],
          rows: [
            [
              "Software alone",
              "A pause of {pause}; after a second confirmed event within {pauseMax}, until a person decides, {pauseMax} at most",
            ],
            ["Reports alone", "A pause that ends after {pauseMax} if nobody has decided"],
            ["One moderator", "A warning, or a ban with an end: as a rule a day, then a week"],
            ["Two people", "A ban for good: as a rule with the third strike in force, or at once for the worst"],
            ["Administrators", "Everything about people who may be under 18: matching stops at once"],
          ],
        },
        {
          kind: "paragraph",
          text: "A strike counts for {strike}. Whether a gender is wrong is judged by people only, with a second look, and never costs a strike by itself. A device or network shared with a banned account leads to a closer look, never to a ban by itself.",
        },
      ],
    },
    {
      id: "decision",
      heading: "What you are told",
      blocks: [
        {
          kind: "paragraph",
          text: "Every ban says what we saw, which rule it concerns, who decided (a person or software), and until when. Nobody can buy a way out of a ban, and nobody can buy protection from one. How often we ban, and how often we were wrong, is on the page [Transparency](/transparency).",
        },
      ],
    },
    {
      id: "appeal",
      heading: "If we were wrong",
      blocks: [
        {
          kind: "paragraph",
          text: "You can appeal for six months, also while you are banned: press “Appeal this decision” on the ban notice, or write to {email} with your account number. Somebody else than the first time decides, and we aim to answer within {appealAnswer}. If we were wrong, the ban and its strike are lifted and the beans it cost you are given back.",
        },
      ],
    },
  ],
};
