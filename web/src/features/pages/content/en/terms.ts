import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Terms of service",
  effective: "2026-11-22",
  short: [
    "You must be 18 or over, and you use one account, which is your own.",
    "Meeting people without filters is free; filters cost beans by the minute, and you see the price first.",
    "Who breaks the community rules can lose access; every ban names its reason and can be appealed.",
  ],
  sections: [
    {
      id: "agreement",
      heading: "What you agree to",
      blocks: [
        {
          kind: "paragraph",
          text: "These terms are the agreement between you and {company}, which runs Fava. By using Fava you accept them and the [community rules](/communityRules). The [privacy policy](/privacyPolicy) says how we use data.",
        },
      ],
    },
    {
      id: "eligibility",
      heading: "Who may use Fava",
      blocks: [
        {
          kind: "paragraph",
          text: "You must be 18 or over. We ask for your full date of birth and check it ourselves, by the calendar of UTC. The service is rated 17+; for video chat 18 counts, or a higher age where your law asks for one.",
        },
        {
          kind: "paragraph",
          text: "You may not use Fava while you are banned, through another account either.",
        },
      ],
    },
    {
      id: "account",
      heading: "Your account",
      blocks: [
        {
          kind: "list",
          items: [
            "You sign in with an account of your own at Google, Facebook or Apple. Keep it safe: whoever has it has your account here too.",
            "One person has one account, and it is used in one place at a time. Signing in somewhere else ends the earlier session.",
            "Birthday and gender are asked once and must be true. You cannot change them later; if something is wrong, tell us.",
            "Your account cannot be sold, lent or given away.",
          ],
        },
      ],
    },
    {
      id: "conduct",
      heading: "How you behave",
      blocks: [
        {
          kind: "paragraph",
          text: "The community rules are part of these terms. In short: no nudity or sexual acts, nobody under 18 in the picture, no hate, threats or harassment, no recording without consent, no fraud, no selling and no begging, no bots and no fake video.",
        },
        {
          kind: "paragraph",
          text: "You may not get round technical limits, attack the service or other people’s devices, or collect data about others.",
        },
      ],
    },
    {
      id: "calls",
      heading: "Meeting people",
      blocks: [
        {
          kind: "paragraph",
          text: "We connect two people whose wishes accept each other. We cannot promise that somebody suitable is online, who that will be, or that what a person says is true. Country is worked out from the network address and can be wrong.",
        },
        {
          kind: "paragraph",
          text: "You can leave a call or go to the next person at any time, without giving a reason. So can everybody else.",
        },
        {
          kind: "paragraph",
          text: "You see each other blurred until the first check of the picture has passed, and a picture can be hidden again while it is looked at. To get out at once, press X, or the shield on a phone: the call ends, and the other person is blocked and reported unless you undo that within {undo}.",
        },
      ],
    },
    {
      id: "people",
      heading: "People and messages",
      blocks: [
        {
          kind: "list",
          items: [
            "Whom you met stays in your list of recent people for {recent}. There you can report, block, follow, or ask to meet again, which stays secret unless both of you ask.",
            "Two people who follow each other are friends and can write to each other. To others you can send one message after a call, which they may accept or decline.",
            "Blocking works at once and in both directions, and nobody is told.",
          ],
        },
      ],
    },
    {
      id: "content",
      heading: "What you show and write",
      blocks: [
        {
          kind: "paragraph",
          text: "What you show, say and write stays yours. You allow us to carry it to the person you meet and to check it as the privacy policy describes, and nothing beyond that.",
        },
        {
          kind: "paragraph",
          text: "You have the rights to what you show, and you do not pass on what others show you.",
        },
      ],
    },
    {
      id: "beans",
      heading: "Beans",
      blocks: [
        {
          kind: "paragraph",
          text: "Beans are a licence to use paid parts of Fava, such as the gender and country filters. They are not money, earn nothing, and cannot be sold, passed to others or changed back into money, except by the refunds below. Your statement shows every bean that moves.",
        },
        {
          kind: "list",
          items: [
            "The price for a minute is shown before you start, in beans and as an amount of money, and is fixed when the match is made.",
            "You pay for your own filters only. Both filters together never cost more than each of them added up.",
            "A paid filter needs a balance for one full minute.",
            "The clock runs only while both of you have video. It stands still while searching, while reconnecting, while the other person’s camera is off and while moderation hides the picture. Turning off your own camera does not stop it. Where only your own browser says that the video stopped or the connection was lost, it stands still for a few seconds of a call and then runs on.",
            "The first {free} of a call cost nothing, in the first {freeMatches} filtered matches of a day.",
            "The seconds you used are charged and rounded up once for the whole call, to a whole bean.",
            "A daily spending limit (days of UTC) can be lowered at once and raised after {capRaise}.",
          ],
        },
      ],
    },
    {
      id: "buying",
      heading: "Buying beans",
      blocks: [
        {
          kind: "paragraph",
          text: "You buy a pack, or an exact amount at the rate of the smallest pack. Price and currency are shown before you pay. The payment is made on a page of PayerMax, Coda or Stripe, depending on how you pay, and we never see your card.",
        },
        {
          kind: "paragraph",
          text: "The beans are yours when the provider has confirmed the payment to our server, exactly once for each order. Where something does not fit, a person looks at the order.",
        },
      ],
    },
    {
      id: "refunds",
      heading: "Refunds",
      blocks: [
        {
          kind: "list",
          items: [
            "A purchase of which you have not used a single bean can be withdrawn for {withdraw}, on your statement. The oldest purchase is used first, and the money goes back the way it came. Where that does not work by itself, write to {email}.",
            "Beans come back by themselves when a call was cut by moderation, failed, or when the other person turns out to be a confirmed fake.",
            "After a ban that was wrong, the beans it cost you are given back.",
            "If a payment is taken back after its beans were spent, your account shows what is owed, filters are off, and the next purchase repays it first.",
          ],
        },
        {
          kind: "paragraph",
          text: "Rights that the law gives you as a consumer stay as they are.",
        },
      ],
    },
    {
      id: "enforcement",
      heading: "When rules are broken",
      blocks: [
        {
          kind: "paragraph",
          text: "We may warn, pause or ban an account. Software alone can pause for {pause} and, after a second confirmed event within {pauseMax}, until a person decides, for {pauseMax} at most. A pause because of reports alone ends after {pauseMax} if nobody has decided.",
        },
        {
          kind: "paragraph",
          text: "Every longer ban is a person’s decision, and comes with a strike that counts for {strike}. As a rule the first ban lasts a day, the second a week, and the third is for good. A ban for good needs two persons: until the second has agreed it is provisional, and without one it ends after {unseconded} at the latest. A ban cannot be bought off.",
        },
        {
          kind: "paragraph",
          text: "With every ban we tell you what we saw, which rule it concerns, whether a person or software decided, until when it holds, and how to object.",
        },
      ],
    },
    {
      id: "appeals",
      heading: "Appeals",
      blocks: [
        {
          kind: "paragraph",
          text: "You can appeal once against each ban, for six months, also while you are banned: press “Appeal this decision” on the ban notice, or write to {email} with your account number. Somebody who did not make the decision looks at it. We aim to answer within {appealAnswer}, on the page of the appeal; one that takes longer goes to the top of the list and to an administrator. If we were wrong, ban and strike go, and what a cut call cost comes back.",
        },
        {
          kind: "paragraph",
          text: "If you live in the European Union, you can also turn to a certified body for out-of-court dispute settlement. The way to a court is always open.",
        },
      ],
    },
    {
      id: "notices",
      heading: "Telling us about illegal content",
      blocks: [
        {
          kind: "paragraph",
          text: "Anybody, with or without an account, can tell us about something illegal on Fava: in the product by Report, or by e-mail to {email}. Say what it is, where it was (account number, date and time), and why you hold it to be illegal. A person decides, and we tell you what was decided and how to object to it.",
        },
        {
          kind: "paragraph",
          text: "The same address is our point of contact for users and for authorities under the Digital Services Act, in English. How many reports, bans and appeals there were is on the page [Transparency](/transparency).",
        },
      ],
    },
    {
      id: "service",
      heading: "The service",
      blocks: [
        {
          kind: "paragraph",
          text: "We work to keep Fava running, but we cannot promise that it always runs, that it is free of faults, or that every part stays for ever. We may change, add or end parts. Prices that we change never apply to a call already running.",
        },
      ],
    },
    {
      id: "liability",
      heading: "Liability, in plain words",
      blocks: [
        {
          kind: "paragraph",
          text: "We answer for harm that we cause on purpose or by gross carelessness, and wherever the law does not let us exclude it. For everything else we answer only as far as the law requires.",
        },
        {
          kind: "paragraph",
          text: "We do not answer for what other people show, say or promise, nor for what is beyond our control, such as your connection or your device. Never send money to somebody you met here.",
        },
      ],
    },
    {
      id: "ending",
      heading: "Ending the agreement",
      blocks: [
        {
          kind: "paragraph",
          text: "You can stop at any time and delete your account in “Account and data”, or by writing to {email}. Untouched purchases are refunded, and before you confirm we tell you which beans would be lost. For {restore} you can change your mind by signing in again.",
        },
        {
          kind: "paragraph",
          text: "We may end your access when you seriously or repeatedly break these terms; the rules about bans and appeals apply then.",
        },
      ],
    },
    {
      id: "changes",
      heading: "Changes",
      blocks: [
        {
          kind: "paragraph",
          text: "When these terms change, the date at the top changes too. We announce important changes here before they apply. If you do not agree, you can stop using Fava and have your account deleted.",
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
