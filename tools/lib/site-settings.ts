import { type Settings } from "./production-settings.ts";

/** How `npm run site` runs its servers. */
export type SiteMode = "production" | "sandbox";

interface Stand {
  readonly settings: Settings;
  /**
   * If one of these is given, no substitute is used; if the list is empty, each missing setting gets its substitute.
   */
  readonly unless: readonly string[];
  /** What does not work with it, for the person who started the site. */
  readonly sentence: string;
}

/**
 * Substitutes for settings that production requires and only an operator has. They let a server start, and do nothing
 * else.
 */
const stands: readonly Stand[] = [
  {
    settings: { GOOGLE_CLIENT_ID: "test-credential.apps.googleusercontent.com" },
    unless: ["GOOGLE_CLIENT_ID", "FACEBOOK_APP_ID", "APPLE_CLIENT_ID"],
    sentence: "GOOGLE_CLIENT_ID is a test credential: Google does not know this client, so no user can sign in",
  },
  {
    settings: { STRIPE_SECRET_KEY: "sk_live_test_credential", STRIPE_WEBHOOK_SECRET: "whsec_test_credential" },
    unless: ["STRIPE_SECRET_KEY", "PAYERMAX_APP_ID", "CODA_API_KEY"],
    sentence: "STRIPE_SECRET_KEY is a test credential: Stripe refuses it, so nothing can be bought",
  },
  {
    settings: {
      CONTACT_EMAIL: "help@site.test",
      CONTACT_ACCOUNT: "@site.test",
      COMPANY_NAME: "A site on this machine",
      COMPANY_ADDRESS: "This machine",
      BUSINESS_EMAIL: "business@site.test",
      BUSINESS_PHONE: "+1 555 0100",
      ONLINE_COUNT: "real",
    },
    unless: [],
    sentence: "Company and contacts are made up",
  },
];

/** All settings of a server except its addresses, and a sentence for each substitute. */
export function siteSettings(mode: SiteMode, given: Settings): { settings: Settings; sentences: readonly string[] } {
  if (mode === "sandbox") {
    const sentence =
      "This is development mode: the sandbox lets everyone sign in as any user, payments move no money, and rate limits are a hundred times as high";
    return { settings: { ...given, APP_MODE: "development" }, sentences: [sentence] };
  }
  const needed = stands.filter(
    ({ settings, unless }) =>
      unless.every((name) => !given[name]) && Object.keys(settings).some((name) => !given[name]),
  );
  const standing = Object.assign({}, ...needed.map(({ settings }) => settings)) as Settings;
  const settings = { ...standing, ...given, APP_MODE: "production" };
  return { settings, sentences: needed.map(({ sentence }) => sentence) };
}
