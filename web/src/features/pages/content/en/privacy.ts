import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Privacy policy",
  effective: "2026-11-22",
  short: [
    "Your calls are not recorded. Software looks at single still pictures while you talk; after a finding or a report the evidence is kept {evidenceKept}, otherwise no picture is.",
    "The people you meet never learn your network address, your birthday, or where you are beyond your country.",
    "You can ask for a copy of your data, for a correction or for deletion at any time, even while you are banned.",
  ],
  sections: [
    {
      id: "who",
      heading: "Who we are",
      blocks: [
        {
          kind: "paragraph",
          text: "{company} runs Fava and decides how your data is used. You can reach us at {email}, or by post at {address}.",
        },
        {
          kind: "paragraph",
          text: "This policy covers the whole service, as it works since the day named above.",
        },
      ],
    },
    {
      id: "collect",
      heading: "What we collect",
      blocks: [
        {
          kind: "list",
          items: [
            "From the provider you sign in with (Google, Facebook or Apple): the number it uses for your account, your name and your picture. Name and picture become your nickname and profile picture on Fava. We never see your password and do not read your contacts or posts. If the provider passes on an e-mail address, we do not keep it.",
            "From you: your date of birth and your gender, asked once; whom you would like to meet; your nickname, what you write about yourself and the place you name, and your photos; your messages; whom you follow, like, report, block, or would like to meet again.",
            "While you use Fava: the network address you sign in from and the country that follows from it, worked out on our own server; the kind of browser and its language; a random number for your device; which accounts met, when, and how the call ended; and every bean that moves.",
            "When you buy beans: the order with its number, pack, amount, currency and way of payment, and what became of it.",
            "When you appeal or write to us: your text, the e-mail address if you give one, and our answer.",
          ],
        },
        {
          kind: "paragraph",
          text: "We do not ask for your exact location, and we do not buy data about you.",
        },
      ],
    },
    {
      id: "seen",
      heading: "What the people you meet see",
      blocks: [
        {
          kind: "list",
          items: [
            "In a call the other person sees and hears what your camera and microphone send, reads what you write, and sees your nickname, profile picture, gender and country. Nickname and picture are at first the ones of the account you sign in with, so choose an account whose name and picture you are happy to show.",
            "Your profile also shows your account number, what you wrote about yourself and your place, and the photos that a person has approved. Friends, that is two people who follow each other, see whether you are online and whether you have read their messages. Strangers find you by your account number, and by your nickname, or by gender, age and country alone, unless you switch that off in your profile. A search can be limited to ages: who looks for a range learns that your age lies in it.",
            "They never see your birthday, your network address, your device number, or which provider you use. Sound and picture travel encrypted through a relay, and our server removes network addresses from what the two browsers tell each other, so that even a changed app cannot find them out.",
            "Recording another person without consent is forbidden. We cannot prevent somebody from pointing a second camera at a screen, so show only what you are happy for a stranger to see.",
          ],
        },
      ],
    },
    {
      id: "checks",
      heading: "How pictures are checked",
      blocks: [
        {
          kind: "paragraph",
          text: "To protect both people, a still picture of a call is taken about every {inspection}, at moments chosen by our server: from your own camera, and now and then also of what arrives at the other end. Programs on our own servers compare it with patterns of nudity and sexual acts, and look for codes that lead elsewhere. No outside company receives it. Until the first check has passed, the other person sees you blurred.",
        },
        {
          kind: "paragraph",
          text: "If nothing is found, nobody looks at the picture: at most the last three of each view stay in memory, and are gone {remembered} after the call. The programs do not listen, do not recognise who somebody is, and do not estimate ages. They miss things, and they err; that is why people decide.",
        },
        {
          kind: "paragraph",
          text: "If something is found, or if somebody reports, the pictures that are still in memory and the last lines of the chat are sealed as evidence: encrypted one by one, and opened one by one by a moderator for this case only. Every look is written down. When somebody may be under 18, no picture is kept, only its fingerprint and the scores.",
        },
        {
          kind: "list",
          items: [
            "Photos and profile pictures that you upload are written anew without hidden data such as the place where they were taken, looked at by the same programs, and shown to others only after a person has approved them. Of a picture that was removed for what it shows we keep a fingerprint without a name, so that nobody uploads it again.",
            "Messages, chat lines and profile texts are checked by lists of words and patterns. What our rules forbid in them, such as contact data, threats and insults, is stopped or masked. Of a stopped text we keep that it was stopped and why, never the text. Software also counts how often somebody skips or repeats lines, and sees when a device or network is shared with a banned account: that makes a person look, and nothing else follows from it by itself.",
            "Software alone never bans anyone. It can pause an account for {pause} and, after a second confirmed event within {pauseMax}, until a person has decided, for {pauseMax} at most. Everything longer is decided by a person, and a ban for good by two.",
          ],
        },
      ],
    },
    {
      id: "keep",
      heading: "How long we keep it",
      blocks: [
        {
          kind: "table",
          head: ["What", "Where it comes from", "How long"],
          rows: [
            ["Sound and picture of a call", "Your camera and microphone", "Not recorded"],
            [
              "Still pictures in which nothing is found",
              "Both ends of the call, checked by software",
              "In memory only, gone {remembered} after the call",
            ],
            [
              "Evidence for a report or a finding",
              "Both ends of the call, or a reported message",
              "{evidenceKept}, sealed; longer only while the case or an appeal is open",
            ],
            ["Reports", "The person who reports", "{reportsKept}; longer only until a person has decided"],
            ["Network addresses, devices and times of sign-ins", "Our server, when you sign in", "{addressesKept}"],
            [
              "Chat lines in a call",
              "You and the other person",
              "In memory only, gone {remembered} after the call unless they are evidence",
            ],
            [
              "Messages",
              "You and the other person",
              "Until one of you deletes the account: then the text is gone for that side",
            ],
            ["Photos and profile pictures", "You and your sign-in provider", "Until you remove or replace them"],
            ["Fingerprints of removed pictures", "The picture, without your name", "Without a limit"],
            ["That a text was stopped, and why", "Our server", "{reportsKept}"],
            ["What software noticed about skipping, repeated lines or shared devices", "Our server", "{signalsKept}"],
            [
              "Profile, birthday, gender, country, preferences, people you follow, like or block",
              "You, your sign-in provider and our server",
              "While your account exists",
            ],
            [
              "Which accounts met, when, and how the call ended",
              "Our server",
              "While your account exists, then under a number that names nobody",
            ],
            [
              "Decisions about your account, appeals, and the log of what moderators do",
              "Moderators, administrators and software",
              "While your account exists, then under a number that names nobody; a strike stops counting after {strike}",
            ],
            ["The copy of your data that you asked for", "Our server", "{exportKept}"],
            [
              "Orders and beans",
              "You, our server and the payment provider",
              "As long as the law requires, under a number instead of your name",
            ],
          ],
        },
        {
          kind: "paragraph",
          text: "A deleted account can come back for {restore}. After that its data is erased, or, where a record has to stay, separated from your person. What you signed in with is let go as well, unless a ban is still in force: a deletion is no way around it.",
        },
      ],
    },
    {
      id: "share",
      heading: "Who else receives data",
      blocks: [
        {
          kind: "list",
          items: [
            "Google, Facebook or Apple learns that you sign in to Fava. While you are signed out, our start page and the sign-in window also load the sign-in scripts of these three, which then see your network address and may store something of their own in your browser. Their own privacy policies apply there.",
            "The relay that carries sound and picture sees the network addresses of both ends and encrypted data. It does not store what it carries.",
            "PayerMax, Coda or Stripe, depending on how you pay, takes the payment when you buy beans. Your card details go there and never to us; we receive the order number, the amount and the result.",
            "Companies that run servers or storage for us work on our instructions only.",
            "Authorities receive data only where the law obliges us, and we record the legal basis each time.",
          ],
        },
        {
          kind: "paragraph",
          text: "We do not sell data. There is no advertising on Fava, and nobody tracks you for advertising or statistics on our pages.",
        },
      ],
    },
    {
      id: "browser",
      heading: "What is stored in your browser",
      blocks: [
        {
          kind: "paragraph",
          text: "Your browser keeps what the page needs, under the names in this table. None of it is a cookie, and we set no cookies.",
        },
        {
          kind: "table",
          head: ["Name", "What for", "How long"],
          rows: [
            [
              "loginToken, tencentCloudToken, uid, externalId, nickname, user_avatar, role, fava",
              "That you are signed in and as whom, with a key that signs your calls and cannot be read out",
              "Until you sign out",
            ],
            [
              "imei, filterGender, filterCountry, keepBlurred, selfCorner, panicKnown, deskBlur, deskGrey",
              "A random number for this device, whom you would like to meet, and how pictures are shown to you",
              "Until you sign out",
            ],
            [
              "roomId, agoraToken, holdPageKey, rechargeToken, chargeStatus, rechargePrice, waitingOrder",
              "The call and the payment under way, and which tab has them",
              "Until they are over, at the latest until you sign out",
            ],
            [
              "unsentPanic, appealDraft",
              "A report or an appeal that has not been sent yet",
              "Until it is sent, at the latest until you sign out",
            ],
            [
              "language, theme, neverShowRule",
              "Your language, light or dark colours, and that the safety rules are not shown again",
              "Until you clear your browser’s data",
            ],
          ],
        },
        {
          kind: "paragraph",
          text: "Your browser also keeps the files of our pages, so that they open faster. Signing out clears everything above but the last line.",
        },
      ],
    },
    {
      id: "why",
      heading: "Why we may use it",
      blocks: [
        {
          kind: "list",
          items: [
            "To give you what you ask for: your account, matching, calls and beans.",
            "To keep people safe and the service honest: checks, reports, and the addresses of sign-ins. Everyone who uses Fava has an interest in that, and so have we.",
            "Because the law obliges us: records of orders, and lawful requests of authorities.",
            "Because you allow it: your camera and your microphone. You can take that back in your browser at any time.",
          ],
        },
      ],
    },
    {
      id: "protect",
      heading: "How we protect it",
      blocks: [
        {
          kind: "list",
          items: [
            "All connections are encrypted. The keys that keep you signed in are stored only as a fingerprint from which they cannot be restored. People who work for us see what their task needs and no more.",
            "Messages between people are not encrypted from end to end: they lie on our server, and a moderator sees one only when it was reported. Moderators see the account, the case with its evidence and earlier decisions. Every decision and every look at evidence goes into a log that nobody can change.",
          ],
        },
      ],
    },
    {
      id: "rights",
      heading: "Your rights",
      blocks: [
        {
          kind: "list",
          items: [
            "Get a copy of your data: “Account and data” prepares one file that people and programs can read, and keeps it for {exportKept}.",
            "Correct what is wrong: texts and photos at any time, the nickname once in {nameChange}. Birthday, gender and country you cannot change yourself; if one of them is wrong, tell us.",
            "Delete your account, in “Account and data” as well. Unused purchases are refunded, before you confirm we tell you which beans would be lost, and for {restore} you can come back.",
            "Object to a use of your data, or have it limited.",
            "Complain to the data protection authority where you live.",
          ],
        },
        {
          kind: "paragraph",
          text: "While you are banned, copy and deletion are on the page of the appeal, which opens from the ban notice. You can also write to {email} with your account number. Nothing of this costs anything.",
        },
      ],
    },
    {
      id: "minors",
      heading: "People under 18",
      blocks: [
        {
          kind: "list",
          items: [
            "Fava is for adults only. Somebody whose date of birth is under 18 is not let in; of that date our server keeps nothing but a fingerprint of the sign-in account and the day from which it may try again.",
            "Whoever may be under 18 is taken out of matching at once. Only administrators look at the case, without pictures, and each look is written down. If you believe that a child is using Fava, report it or write to {email}. What helps people under 18 is in the [safety centre](/safety).",
          ],
        },
      ],
    },
    {
      id: "changes",
      heading: "Changes",
      blocks: [
        {
          kind: "paragraph",
          text: "When this policy changes, the date at the top changes too. We announce important changes here before they apply.",
        },
      ],
    },
    {
      id: "contact",
      heading: "Contact",
      blocks: [
        {
          kind: "paragraph",
          text: "{company}, {address}. E-mail: {email}.",
        },
      ],
    },
  ],
};
