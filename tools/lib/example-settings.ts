/** Example values of what production requires and only an operator has. */
export const exampleSettings = {
  COMPANY_NAME: "Bean Ltd",
  COMPANY_ADDRESS: "1 Bean Street, Town",
  CONTACT_EMAIL: "help@fava.test",
  CONTACT_ACCOUNT: "@fava",
  BUSINESS_EMAIL: "business@fava.test",
  BUSINESS_PHONE: "+1 555 0100",
  ONLINE_COUNT: "real",
  GOOGLE_CLIENT_ID: "google-client",
};

export const exampleStripe = {
  STRIPE_SECRET_KEY: "sk_live_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
};

/** A secret in which the doctor finds no fault. */
export const exampleSecret = "Zk3vR8qT1nB6yW4pX9sD2fG7hJ5mC0aL";
