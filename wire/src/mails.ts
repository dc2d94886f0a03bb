/** Mails that a user may choose; all are off by default. The position is the id: append only. */
export const mailKinds = ["receipt", "sign_in", "missed_call"] as const;
export type MailKind = (typeof mailKinds)[number];

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?";
/** One address without a name; its domain may be in any script. */
export const mailAddressShape = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=\\p{L})${label}$`, "u");
