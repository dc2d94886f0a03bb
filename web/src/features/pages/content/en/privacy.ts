import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Privacy policy",
  effective: "2026-11-21",
  short: [
    "Your calls are not recorded. Software looks at single still pictures while you talk, and pictures in which nothing is found are not kept.",
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
          text: "This policy covers the whole service. Some parts of Fava open step by step: what is written here about such a part applies from the day on which it is open.",
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
            "From you: your date of birth and your gender, asked once; whom you would like to meet; what you write in your profile and in messages; whom you report, follow or block.",
            "While you use Fava: the network address you sign in from and the country that follows from it, the kind of browser and its language, a random number for your device, which accounts met and when, and every bean that moves.",
            "When you write to us: your message and our answer.",
          ],
        },
        { kind: "paragraph", text: "We do not ask for your exact location, and we do not buy data about you." },
      ],
    },
    {
      id: "seen",
      heading: "What the people you meet see",
      blocks: [
        {
          kind: "paragraph",
          text: "In a call the other person sees and hears what your camera and microphone send, reads what you write, and sees your nickname, profile picture, gender and country. Nickname and picture are at first the ones of the account you sign in with, so choose an account whose name and picture you are happy to show.",
        },
        {
          kind: "paragraph",
          text: "They never see your birthday, your network address, your device number, or which provider you use. Sound and picture travel encrypted through a relay, and our server removes network addresses from what the two browsers tell each other, so that even a changed app cannot find them out.",
        },
        {
          kind: "paragraph",
          text: "Recording another person without consent is forbidden. We cannot prevent somebody from pointing a second camera at a screen, so show only what you are happy for a stranger to see.",
        },
      ],
    },
    {
      id: "checks",
      heading: "How pictures are checked",
      blocks: [
        {
          kind: "paragraph",
          text: "To protect both people, still pictures of a call are taken about every ten seconds, at moments chosen by our server. Software compares them with patterns of nudity and of other things that our rules forbid. If nothing is found, the picture is not kept and nobody has looked at it.",
        },
        {
          kind: "paragraph",
          text: "If something is found, or if somebody reports the call, pictures from both ends can be sealed as evidence. A moderator then opens them for this case only.",
        },
        {
          kind: "paragraph",
          text: "Software alone never bans anyone. It can pause an account for 15 minutes and, after a second confirmed event within 24 hours, until a person has decided, for 24 hours at most. Everything longer is decided by a person, and a ban for good by two.",
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
            ["Still pictures in which nothing is found", "Your camera, checked by software", "Not kept"],
            ["Evidence for a report or a finding", "Both ends of the call", "30 days, sealed"],
            ["Reports", "The person who reports", "180 days"],
            ["Network addresses of sign-ins", "Our server, when you sign in", "90 days"],
            ["Chat lines in a call", "You and the other person", "Passed on and not kept, unless they are evidence"],
            [
              "Messages",
              "You and the other person",
              "Until one of you deletes the account: then the text is gone for that side",
            ],
            [
              "Profile, birthday, gender, country, preferences, people you follow or block",
              "You, your sign-in provider and our server",
              "While your account exists",
            ],
            ["Which accounts met, when, and how the call ended", "Our server", "While your account exists"],
            [
              "Decisions about your account",
              "Moderators",
              "While they are in force, and for the six months in which you can appeal",
            ],
            [
              "Orders and beans",
              "You, our server and the payment provider",
              "As long as the law requires, under a number instead of your name",
            ],
          ],
        },
        {
          kind: "paragraph",
          text: "A deleted account can come back for 14 days. After that its data is erased, or, where the law makes us keep a record, separated from your person.",
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
            "Google, Facebook or Apple learns that you sign in to Fava. Its own privacy policy applies there.",
            "The relay that carries sound and picture sees the network addresses of both ends and encrypted data. It does not store what it carries.",
            "A payment provider takes the payment when you buy beans. Your card details go to the provider and never to us; we receive the order number, the amount and the result.",
            "Companies that run servers or storage for us work on our instructions only.",
            "Authorities receive data only where the law obliges us, and we record the legal basis each time.",
          ],
        },
        {
          kind: "paragraph",
          text: "We do not sell data. There is no advertising on Fava, and nobody else tracks you on our pages.",
        },
      ],
    },
    {
      id: "browser",
      heading: "What is stored in your browser",
      blocks: [
        {
          kind: "paragraph",
          text: "Your browser keeps what the page needs: that you are signed in, your match preferences, your language, light or dark colours, whether you want to see the safety rules again, and a random number for the device. There are no advertising cookies.",
        },
        {
          kind: "paragraph",
          text: "Signing out clears all of it except the language, the colours and the choice not to see the safety rules again.",
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
          kind: "paragraph",
          text: "All connections are encrypted. The keys that keep you signed in are stored only as a fingerprint from which they cannot be restored. People who work for us see what their task needs and no more.",
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
            "Get a copy of your data, also in a form that you can take elsewhere.",
            "Have wrong data corrected. You cannot change birthday, gender and country yourself; if one of them is wrong, tell us.",
            "Have your account deleted. Purchases you have not touched are refunded, and before you confirm we tell you which beans would be lost.",
            "Object to a use of your data, or have it limited.",
            "Complain to the data protection authority where you live.",
          ],
        },
        {
          kind: "paragraph",
          text: "Write to {email} with your account number. It costs nothing and also works while you are banned.",
        },
      ],
    },
    {
      id: "minors",
      heading: "People under 18",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava is for adults only. Somebody whose date of birth is under 18 is not let in; of that date our server keeps nothing but a fingerprint of the sign-in account and the day from which it may try again.",
        },
        {
          kind: "paragraph",
          text: "Whoever may be under 18 is taken out of matching at once, and only administrators look at the case. If you believe that a child is using Fava, write to {email}.",
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
      blocks: [{ kind: "paragraph", text: "{company}, {address}. E-mail: {email}." }],
    },
  ],
};
