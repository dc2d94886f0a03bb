/** One paragraph, list or table of a static page. A table keeps its header row. */
export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

interface PageSection {
  /** Anchor of the heading: the same in every language, kebab-case. */
  readonly id: string;
  readonly heading: string;
  readonly blocks: readonly Block[];
}

/** Text of the privacy policy, the terms, the community rules or the accessibility statement in one language. */
export interface PageContent {
  readonly title: string;
  /** The day from which the text is in force, `YYYY-MM-DD`. */
  readonly effective: string;
  /** "In short": a few sentences before the text. */
  readonly short: readonly string[];
  readonly sections: readonly PageSection[];
}

export interface HeadedText {
  readonly heading: string;
  readonly text: string;
}

/** Text of the About us page in one language. */
export interface AboutContent {
  readonly title: string;
  readonly lead: string;
  readonly features: readonly [HeadedText, HeadedText, HeadedText];
  readonly sections: readonly PageSection[];
  readonly copyright: string;
}

/** Text of the safety centre in one language: help against blackmail first, then protection. */
export interface SafetyContent {
  readonly title: string;
  readonly lead: string;
  readonly steps: readonly [HeadedText, HeadedText, HeadedText, HeadedText];
  /** A template of a message to us and to the police; `{number}` is the account number. */
  readonly template: string;
  readonly talk: {
    readonly heading: string;
    readonly parts: readonly [HeadedText, HeadedText, HeadedText, HeadedText];
  };
  readonly removal: HeadedText;
  readonly minor: HeadedText;
  readonly danger: HeadedText;
  readonly visit: HeadedText;
}

/** The long texts by the names of their files, `content/<lang>/<name>.md`. */
export interface PageTexts {
  readonly privacy: PageContent;
  readonly terms: PageContent;
  readonly rules: PageContent;
  readonly accessibility: PageContent;
  readonly about: AboutContent;
  readonly safety: SafetyContent;
}
