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
      heading: "Blurred until it is checked",
      text: "Every picture starts blurred and clears when the first check has passed. One key takes you out. People read every report, and every longer ban is a person’s decision.",
    },
    {
      heading: "You always know what it costs",
      text: "Meeting people is free. Only filters cost beans, by the minute, and the price stands there in beans and in money before and while you talk. Unused purchases go back for {withdraw}.",
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
          text: "If the other person does not come through within {matchTimeout}, you go back to your old place in the queue and it costs nobody anything. The right arrow takes you to the next person, Escape ends the call.",
        },
      ],
    },
    {
      id: "after",
      heading: "After the call",
      blocks: [
        {
          kind: "paragraph",
          text: "For {recent} you find everybody you met in your list: to follow, to meet again if both of you want to, to report, or to block. Who follows each other can write to each other. You can send one message to a stranger, who decides whether there is a second.",
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
          text: "Calls are not recorded. About every {inspection} programs on our own servers look at a still picture; those in which nothing is found are gone {remembered} after the call. When there is a finding or a report, the evidence is sealed for {evidenceKept} and a moderator decides. If somebody threatens you, the [safety centre](/safety) says what to do.",
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
          text: "A ban says what we saw, who decided, and until when. You can appeal for six months, somebody else decides, and a wrong ban gives back the beans it cost. A ban for good takes two people. There is no paid way out. The numbers are on the page [Transparency](/transparency).",
        },
      ],
    },
    {
      id: "beans",
      heading: "Beans",
      blocks: [
        {
          kind: "paragraph",
          text: "Beans pay for filters by gender and country, and for nothing that makes you safer. The first {free} of a call are free, the clock stands still while you search or reconnect, and every bean that moves is on your statement. An untouched purchase can be withdrawn for {withdraw}. There are no streaks, no countdown offers, and nothing is ticked for you.",
        },
      ],
    },
    {
      id: "everyone",
      heading: "Made for everyone",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava is built to work with a keyboard alone, with screen readers, from right to left and with less motion; the [statement of accessibility](/accessibility) says what was tested and what is missing. These pages exist in English, Chinese, Arabic, Turkish and Indonesian.",
        },
      ],
    },
  ],
  copyright: "© {year} {company}",
};
