import { type Settings } from "./production-settings.ts";

/** How `npm run site` runs its servers. */
export type SiteMode = "production" | "sandbox";

interface Stand {
  readonly settings: Settings;
  /** With one of these nothing has to stand in; without any, for each of its own settings that is missing. */
  readonly unless: readonly string[];
  /** What does not work with it, for whoever started the site. */
  readonly sentence: string;
}

/**
 * What production asks for and only an operator has: stands in where it was not given, so that a server starts, and is
 * good for nothing else.
 */
const stands: readonly Stand[] = [
  {
    settings: { GOOGLE_CLIENT_ID: "test-credential.apps.googleusercontent.com" },
    unless: ["GOOGLE_CLIENT_ID", "FACEBOOK_APP_ID", "APPLE_CLIENT_ID"],
    sentence: "GOOGLE_CLIENT_ID is a test credential: Google knows no such client, so nobody can sign in",
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

/** Everything a server of the site needs besides its addresses, and the sentences of what stands in for something real. */
export function siteSettings(mode: SiteMode, given: Settings): { settings: Settings; sentences: readonly string[] } {
  if (mode === "sandbox") {
    const sentence =
      "This is development mode: anybody signs in as anybody by the sandbox, payments move no money, and rate limits are a hundred times as wide";
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
