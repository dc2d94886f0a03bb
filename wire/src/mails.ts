/** Mails that a user may choose; all are off by default. The position is the id: append only. */
export const mailKinds = ["receipt", "sign_in", "missed_call"] as const;
export type MailKind = (typeof mailKinds)[number];

/** One address without a name, with its domain in ASCII (punycode). */
export const mailAddressShape =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-zA-Z\d](?:[a-zA-Z\d-]{0,61}[a-zA-Z\d])?\.)+[a-zA-Z](?:[a-zA-Z\d-]{0,61}[a-zA-Z\d])?$/;
