import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Statement of accessibility",
  effective: "2026-11-21",
  short: [
    "Fava aims at WCAG 2.2, level AA, on every screen and in every dialog.",
    "It was tested by programs and by its makers, not yet by people who live with a disability.",
    "If something keeps you out, tell us: that is a fault, and we treat it as one.",
  ],
  sections: [
    {
      id: "aim",
      heading: "What this covers",
      blocks: [
        {
          kind: "paragraph",
          text: "This statement of {company} is about the web application Fava with all its pages. Our measure is WCAG 2.2, level AA. By our own assessment the application meets it except for what is named below.",
        },
      ],
    },
    {
      id: "works",
      heading: "What works",
      blocks: [
        {
          kind: "list",
          items: [
            "Everything can be done with a keyboard. In a call Escape ends it, the right arrow goes on, and X gets you out; on a desktop the keys stand beside the buttons.",
            "Screen readers are told what changes: that a search runs, whom you met, that somebody left, that a picture is being checked, that beans run low, and each chat line.",
            "Light and dark colours, stronger contrast, forced colours, less motion and larger text follow your system and browser. Layouts turn round for languages written from right to left.",
            "You can talk without speaking: the chat beside the picture works during the whole call, also with camera and microphone off.",
          ],
        },
      ],
    },
    {
      id: "tested",
      heading: "What was tested, and how",
      blocks: [
        {
          kind: "list",
          items: [
            "Before each release a program (axe) looks for faults on screens and dialogs, at the sizes of a desktop and of a phone, in light and in dark colours. A fault stops the release.",
            "Tests in a real browser (Chromium) go through sign-in, calls, messages, the shop and these pages, and use keys and names as assistive technology does.",
            "Not tested yet: screen readers and voice control with people who use them every day, Safari and Firefox, and real phones.",
          ],
        },
      ],
    },
    {
      id: "limits",
      heading: "Known limits",
      blocks: [
        {
          kind: "list",
          items: [
            "Calls have no captions and no sign language. What two people say to each other goes past us, and we do not listen.",
            "Pictures that other people show or upload have no description.",
            "The check of your own picture asks for light and an uncovered camera, which somebody who cannot see it may find hard to judge. With the camera off the call goes on with sound and chat.",
            "Two people wait for each other: {matchTimeout} to come together cannot be made longer.",
            "The pages of Google, Facebook, Apple and the payment providers are not ours.",
            "Long texts like this one exist in five languages, and native readers have not reviewed the translations.",
          ],
        },
      ],
    },
    {
      id: "complain",
      heading: "Tell us",
      blocks: [
        {
          kind: "paragraph",
          text: "Write to {email} what you wanted to do, what happened, and which browser and aids you use. A person answers. If you need something from these pages in another form, we send it.",
        },
        {
          kind: "paragraph",
          text: "If our answer does not help, you can complain to the authority for accessibility in your country.",
        },
      ],
    },
    {
      id: "made",
      heading: "How this statement came about",
      blocks: [
        {
          kind: "paragraph",
          text: "We wrote it from our own tests, on the day named above, and look through it again with each larger change.",
        },
      ],
    },
  ],
};
