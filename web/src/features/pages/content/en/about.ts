import type { AboutContent } from "#lib/page-content.ts";

export const page: AboutContent = {
  title: "Talking with strangers, done decently.",
  lead: "Fava connects two adults for a live conversation. We build it so that both of them leave glad they came.",
  features: [
    {
      heading: "Someone new, one at a time",
      text: "One press, and you talk with a real person somewhere else. Go on when it is not for you, stay when it is. No profile to polish first.",
    },
    {
      heading: "People decide, software only helps",
      text: "Software may notice that something is wrong and pause an account for a short while. Every ban is the decision of a person, with a reason and an appeal.",
    },
    {
      heading: "You always know what it costs",
      text: "Meeting people is free. Only filters cost beans, by the minute, and the price stands there in beans and in money before you start.",
    },
  ],
  sections: [
    {
      id: "matching",
      heading: "How two people meet",
      blocks: [
        {
          kind: "paragraph",
          text: "You say whom you would like to meet and from where, and press Start. Fava looks for somebody whose wishes accept you as well: a filter is one person’s wish, never a claim on another. “Balanced” looks in your own country first, then in its region, then everywhere. Whoever has waited longest comes first, and nobody can buy a place further ahead.",
        },
        {
          kind: "paragraph",
          text: "If the other person does not come through within ten seconds, you go back to your old place in the queue and it costs nobody anything. The right arrow takes you to the next person, Escape ends the call.",
        },
      ],
    },
    {
      id: "adults",
      heading: "Adults only",
      blocks: [
        {
          kind: "paragraph",
          text: "You must be 18 to use video chat. We ask for your full date of birth and check it on our side. Whoever may be younger is taken out of matching at once, and a person looks before anything else happens.",
        },
      ],
    },
    {
      id: "checks",
      heading: "What is checked, and by whom",
      blocks: [
        {
          kind: "paragraph",
          text: "Calls are not recorded. Still pictures may be compared by software with what our rules forbid; pictures in which nothing is found are not kept. When there is a finding or a report, the evidence is sealed for 30 days and a moderator decides.",
        },
      ],
    },
    {
      id: "address",
      heading: "Your address stays yours",
      blocks: [
        {
          kind: "paragraph",
          text: "The two ends of a call never learn each other’s network address. Sound and picture go through a relay, and the server removes whatever would give an address away. The other person sees your country, and nothing closer.",
        },
      ],
    },
    {
      id: "bans",
      heading: "Bans that explain themselves",
      blocks: [
        {
          kind: "paragraph",
          text: "A ban says why and until when. You can appeal for six months, somebody else decides, and a wrong ban gives back the beans it cost. A ban for good takes two people. There is no paid way out.",
        },
      ],
    },
    {
      id: "beans",
      heading: "Beans",
      blocks: [
        {
          kind: "paragraph",
          text: "Beans pay for filters by gender and country, and for nothing that makes you safer. The first seconds of a call are free, the clock stands still while you search or reconnect, and every bean that moves is on record. An untouched purchase can be withdrawn for 14 days. There are no streaks, no countdown offers, and nothing is ticked for you.",
        },
      ],
    },
    {
      id: "everyone",
      heading: "Made for everyone",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava is built to work with a keyboard alone, with screen readers, from right to left and with less motion. It speaks English, Chinese, Arabic, Turkish and Indonesian.",
        },
      ],
    },
  ],
  copyright: "© {year} {company}",
};
